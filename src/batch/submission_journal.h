// SubmissionJournal: submitted.json, records which jobs were submitted when. For people and scripts; the program never
// reads it otherwise.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace bertprep {

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
