// ProgressReport: how far a running process is, as progress.json says it (docs/formats/run-journal.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "bertprep/base/progress.h"
#include "io/json.h"
#include "io/process.h"

namespace bertprep {

struct ProgressReport {
  static constexpr const char* kFileName = "progress.json";

  std::string stage;  // as Progress::begin names it
  std::uint64_t done = 0;
  std::uint64_t total = 0;  // 0: not known
  std::string unit;
  RunShare run{};              // of the whole run
  std::filesystem::path work;  // the run's work folder, absolute
  ProcessIdentity process;
  std::uint64_t time_seconds = 0;  // since 1970, when this was written

  // Of this process, now: process and time_seconds.
  static ProgressReport of_this_process();

  Json to_json() const;
  // Throws FormatError.
  static ProgressReport from_json(const Json& json);

  // Whether the process still works. On its own machine the process is looked for; seen from another, a report younger
  // than 30 seconds has to do.
  bool is_alive() const;
  // From 0 to 1; 0 when the total is not known.
  double fraction() const;
};

std::uint64_t seconds_since_1970();

}  // namespace bertprep
