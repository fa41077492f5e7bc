// StageClock: how long a stage took, and how much memory the process has had until then.
#pragma once

#include <chrono>

#include "bertprep/pipeline/stages.h"
#include "io/process.h"

namespace bertprep {

class StageClock {
 public:
  // Since the object was made.
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  void measure(StageReport& report) const {
    report.seconds = seconds();
    report.peak_bytes = peak_memory_bytes();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace bertprep
