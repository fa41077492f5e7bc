// ProgressReport: the progress of a running process, stored as progress.json (docs/formats/run-journal.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "bertprep/base/progress.h"
#include "io/json.h"
#include "io/process.h"

namespace bertprep {

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

  // With process and time_seconds of this process, now.
  static ProgressReport of_this_process();

  Json to_json() const;
  // Throws FormatError.
  static ProgressReport from_json(const Json& json);
  // That in the hidden folder `state`; nothing where there is none that can be read, as when it was replaced just now.
  static std::optional<ProgressReport> find(const std::filesystem::path& state);

  // Whether the run is still at work. On its own machine, looks for the process; on others, the report must be
  // younger than 30 seconds.
  bool is_alive() const;
  // From 0 to 1; 0 if the total is unknown.
  double fraction() const;
};

std::uint64_t seconds_since_1970();

}  // namespace bertprep
