#include "stream/read_meter.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace bertprep {

void ReadMeter::begin_file(const std::filesystem::path& file) {
  end();
  std::error_code no_size;
  const std::uintmax_t size = std::filesystem::file_size(file, no_size);
  file_bytes_ = no_size ? 0 : size;
  if (observer_ != nullptr) observer_->begin_file(file);
}

void ReadMeter::reach(std::uint64_t byte) {
  if (file_bytes_ != 0) byte = std::min(byte, file_bytes_);
  reached_byte_ = std::max(reached_byte_, byte);
}

void ReadMeter::end() {
  bytes_before_ += std::max(std::exchange(file_bytes_, 0), std::exchange(reached_byte_, 0));
}

}  // namespace bertprep
