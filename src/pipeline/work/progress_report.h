// ProgressReport: the progress of a running process, stored as progress.json (docs/formats/run-journal.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "bertprep/base/progress.h"
#include "io/json.h"
#include "io/process.h"

namespace bertprep {

// A task's share of the units of an array.
struct ArrayShare {
  std::uint64_t task = 0;
  std::uint64_t count = 1;
};

// The origin of an attempt at a task, for `status`.
struct AttemptOrigin {
  std::string engine{};   // "Slurm"; empty: none
  std::string job{};      // the engine's name for the task
  std::string attempt{};  // its number, as counted by the engine
};

struct ArrayAttempt {
  ArrayShare share{};
  AttemptOrigin origin{};
};

struct ProgressReport {
  static constexpr const char* kFileName = "progress.json";

  std::string stage;  // as named in Progress::begin
  std::uint64_t done = 0;
  std::uint64_t total = 0;  // 0: unknown
  std::string unit;
  RunShare run{};              // of the whole run
  std::filesystem::path work;  // the run's work folder, absolute
  ProcessIdentity process;
  std::uint64_t time_seconds = 0;  // since 1970; the time of writing
  std::string error{};             // with which the run ended; empty: none
  std::optional<ArrayAttempt> attempt{};

  // Of this process, now.
  static ProgressReport of_this_process(std::string_view stage = {});

  Json to_json() const;
  // Throws FormatError.
  static ProgressReport from_json(const Json& json);
  // That in the hidden folder `state`; nothing where there is none that can be read, as when it was replaced just now.
  static std::optional<ProgressReport> find(const std::filesystem::path& state);

  // Whether the run is still at work. On its own machine, looks for the process; on others, the report must be younger
  // than 30 seconds, that of an attempt than 60.
  bool is_alive() const;
  // From 0 to 1; 0 if the total is unknown.
  double fraction() const;
};

std::uint64_t seconds_since_1970();

}  // namespace bertprep
