// Attempt: a process's attempt at a task of an array, described by a small file while it runs and after it failed.
//
// Only for display (`bertprep status`): completion records decide what is done.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/records/progress_journal.h"

namespace bertprep {

class Attempt final : public ProgressJournal {
 public:
  // `observer` is kept by reference.
  Attempt(const std::filesystem::path& folder, std::string_view stage, const ArrayAttempt& attempt, Progress& observer);
  // Removes the report, unless fail() was called.
  ~Attempt() override;
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;

  void fail(const std::string& error);

 private:
  bool has_failed_ = false;
};

// All readable reports of attempts in a folder.
std::vector<ProgressReport> read_attempts(const std::filesystem::path& folder);

}  // namespace bertprep
