// Submission: the jobs of a run that wait in an engine, for `status` and for the next `submit`.
//
// Its file lies in the hidden folder ROOT/.NAME.bertprep, which exists before any task has run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/json.h"

namespace bertprep {

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
