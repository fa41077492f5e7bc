#include "fetch/download_meter.h"

#include <algorithm>

namespace bertprep {

void DownloadMeter::expect(std::uint64_t bytes) {
  if (bytes == 0) ++unknown_;
  expected_bytes_ += bytes;
}

void DownloadMeter::learn(std::uint64_t bytes) {
  if (bytes != 0) --unknown_;
  expected_bytes_ += bytes;
}

void DownloadMeter::spare(std::uint64_t bytes) {
  expected_bytes_ -= std::min(bytes, expected_bytes_);
}

void DownloadMeter::advance(std::uint64_t bytes) {
  if (!running_) {
    const bool total_is_known = unknown_ == 0 && expected_bytes_ >= done_bytes_;
    progress_.begin("download", total_is_known ? expected_bytes_ - done_bytes_ : 0, "bytes");
  }
  running_ = true;
  done_bytes_ += bytes;
  progress_.advance(bytes);
}

void DownloadMeter::lose(std::uint64_t bytes) {
  end();
  expected_bytes_ += bytes;
}

void DownloadMeter::end() {
  if (running_) progress_.end();
  running_ = false;
}

}  // namespace bertprep
