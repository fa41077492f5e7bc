// Attempt: a process's attempt at a task of an array, described by a small file while it runs and after it failed.
//
// Only for display (`bertprep status`): completion records decide what is done. Write errors are ignored.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "base/forwarding_progress.h"
#include "io/json.h"
#include "io/process.h"
#include "pipeline/array/array_job.h"

namespace bertprep {

struct AttemptReport {
  std::string stage;
  ArrayShare share{};
  AttemptOrigin origin{};
  ProcessIdentity process{};
  std::uint64_t begun_seconds = 0;  // since 1970, by the clock of its machine
  std::uint64_t seen_seconds = 0;
  std::string error{};  // empty: it is running

  Json to_json() const;
  static AttemptReport from_json(const Json& json);
};

// All readable reports in a folder.
std::vector<AttemptReport> read_attempts(const std::filesystem::path& folder);

// Maintains the report during the attempt, and passes all calls on to an observer.
class Attempt final : public ForwardingProgress {
 public:
  // `observer` is kept by reference.
  Attempt(std::filesystem::path folder, AttemptReport report, Progress& observer);
  // Removes the report, unless fail() was called.
  ~Attempt() override;
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;

  void fail(const std::string& error);

  // Also refreshes the report.
  bool cancelled() const override;

 private:
  using Clock = std::chrono::steady_clock;

  void write() const;
  void write_now_and_then() const;

  std::filesystem::path folder_;
  std::filesystem::path file_;
  mutable std::mutex mutex_;  // cancelled() is called from any thread
  mutable AttemptReport report_;
  mutable Clock::time_point written_{};
};

}  // namespace bertprep
