// DownloadMeter: the bytes of several downloads as one span of progress.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bertprep/base/progress.h"

namespace bertprep {

class DownloadMeter {
 public:
  explicit DownloadMeter(Progress& progress) : progress_(progress) {}
  ~DownloadMeter() { end(); }
  DownloadMeter(const DownloadMeter&) = delete;
  DownloadMeter& operator=(const DownloadMeter&) = delete;

  // A download with `bytes` to come; 0: not known yet.
  void expect(std::uint64_t bytes);
  // One that was not known: 0 if it stays so.
  void learn(std::uint64_t bytes);
  // Expected bytes already exist.
  void spare(std::uint64_t bytes);
  void advance(std::uint64_t bytes);
  // Bytes that came must come again: the span ends, and another one begins with what is still to come.
  void lose(std::uint64_t bytes);
  void end();

 private:
  Progress& progress_;
  std::uint64_t expected_bytes_ = 0;
  std::uint64_t done_bytes_ = 0;
  std::uint64_t unknown_ = 0;
  bool running_ = false;
};

}  // namespace bertprep
