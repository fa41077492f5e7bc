#include "stream/file_stream.h"

#include <algorithm>
#include <limits>
#include <span>

namespace bertprep {
namespace {

// Larger blocks leave the processor's cache before they are used.
constexpr std::size_t kBlockBytes = std::size_t{1} << 18;

}  // namespace

FileStream::FileStream(const std::filesystem::path& path, std::uint64_t begin, std::uint64_t end)
    : file_(path),
      buffer_(kBlockBytes),
      left_bytes_(end == 0 ? std::numeric_limits<std::uint64_t>::max() : end - std::min(begin, end)) {
  if (begin != 0) file_.seek(begin);
}

FileStream::FileStream(const std::filesystem::path& path, ReadMeter* meter) : FileStream(path) {
  meter_ = meter;
}

std::string_view FileStream::next_block() {
  const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(left_bytes_, buffer_.size()));
  const std::size_t count = file_.read(std::span(buffer_).first(wanted));
  left_bytes_ -= count;
  if (meter_ != nullptr) meter_->see(read_bytes_, {buffer_.data(), count});
  read_bytes_ += count;
  if (meter_ != nullptr) meter_->reach(read_bytes_);
  return {buffer_.data(), count};
}

}  // namespace bertprep
