// Writing the files of a chain of jobs into a folder that the user chose, where other files may be.
//
// `.job-files.json` in the folder lists the digests of all that was written there. What it doesn't list, the user wrote
// or edited; it stays.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "batch/job_chain.h"

namespace bertprep {

// Writes each file atomically, after checking all; makes the folder. Throws FormatError for a file that exists and was
// not written by this function, IoError.
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
  std::string earlier_;  // entries, as JSON
  std::string engine_;
  std::string started_;  // UTC, ISO 8601
  std::int64_t tasks_;
  std::vector<std::pair<std::string, std::string>> jobs_;
};

}  // namespace bertprep
