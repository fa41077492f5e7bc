// DownloadMeter: the bytes of several downloads as one span of progress.
#pragma once

#include <cstdint>

#include "bertprep/base/progress.h"

namespace bertprep {

class DownloadMeter {
 public:
  explicit DownloadMeter(Progress& progress) : progress_(progress) {}
  ~DownloadMeter() { end(); }
  DownloadMeter(const DownloadMeter&) = delete;
  DownloadMeter& operator=(const DownloadMeter&) = delete;

  // A download of `bytes` expected bytes; 0: not known yet.
  void expect(std::uint64_t bytes);
  // The size of one that was unknown; 0 if it stays unknown.
  void learn(std::uint64_t bytes);
  // Expected bytes already exist.
  void spare(std::uint64_t bytes);
  void advance(std::uint64_t bytes);
  // Received bytes are needed again: the span ends, and another one begins with the bytes still expected.
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
