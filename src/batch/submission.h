// Submission: the jobs of a run that wait in an engine, for `status` and for the next `submit`; the files that describe
// them.
#pragma once

#include <optional>

#include "batch/job_chain.h"

namespace bertprep {

// Its file lies in the hidden folder ROOT/.NAME.bertprep, which exists before any task has run.
struct Submission {
  static constexpr const char* kFileName = "submitted.json";

  std::string engine;               // "slurm"
  std::string region{};             // of the aws program; empty: the default
  std::string profile{};            // likewise
  std::string endpoint{};           // likewise
  std::string kube_namespace{};     // of kubectl; empty: the default
  std::uint64_t time_seconds = 0;   // since 1970
  std::uint64_t tasks = 0;          // of each array
  std::filesystem::path work;       // absolute
  std::filesystem::path array;      // the folder of the array job, absolute
  std::filesystem::path job_files;  // the folder, absolute
  std::vector<std::string> stages;  // those submitted, in order
  std::vector<std::string> jobs;    // their ids

  Json to_json() const;
  static Submission from_json(const Json& json);

  // Of the dataset `name` below `root`. Throws IoError.
  void write(const std::filesystem::path& root, const std::string& name) const;
  // Nothing where there is none that can be read.
  static std::optional<Submission> find(const std::filesystem::path& state);

  // "Slurm jobs 101 102".
  std::string words() const;
};

// Writes each file atomically into a folder that the user chose, where other files may be, after checking all; makes
// the folder. `.job-files.json` there lists the digests of all that was written so: what it doesn't list, the user
// wrote or edited. Throws FormatError for such a file of the same name, IoError.
void write_job_files(const std::filesystem::path& folder, std::span<const JobFile> files);

// SubmissionJournal: submitted.json, records which jobs were submitted when. For people and scripts; the program never
// reads it otherwise.
class SubmissionJournal {
 public:
  // Begins an entry after those in `folder`/submitted.json. Throws IoError, FormatError.
  SubmissionJournal(const std::filesystem::path& folder, const std::string& engine, std::int64_t tasks);

  // Records a job at once, so that a later failure doesn't lose it. Throws IoError.
  void add(const std::string& stage, const std::string& job);

 private:
  std::filesystem::path file_;
  Json entries_;  // those before
  std::string engine_;
  std::string started_;  // UTC, ISO 8601
  std::int64_t tasks_;
  std::vector<std::pair<std::string, std::string>> jobs_;
};

// Asking the engine which of the jobs are left. Nothing here starts a program.

enum class QueueState { kWaiting, kRunning, kGone };

// The command whose output says it; empty if an id or a setting could be an option of it.
std::vector<std::string> queue_command(const Submission& submission);
// `status` and `out` are those of the command, `err` what it complained of. Nothing if they don't tell.
std::optional<QueueState> queue_state(const Submission& submission, int status, std::string_view out,
                                      std::string_view err);
// The command that cancels the jobs, for people; empty if there is no single one.
std::string cancel_command(const Submission& submission);

}  // namespace bertprep
