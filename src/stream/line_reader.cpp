#include "stream/line_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace bertprep {
namespace {

constexpr std::size_t kKeptBytes = std::size_t{1} << 16;

}  // namespace

LineReader::LineReader(std::string name, std::unique_ptr<ByteStream> bytes, std::uint64_t first_line,
                       std::uint64_t first_byte)
    : name_(std::move(name)), bytes_(std::move(bytes)), line_number_(first_line - 1), consumed_(first_byte) {}

// The first line of the block, if it ends there.
bool LineReader::take_line(std::string_view& line) {
  const void* feed = block_.empty() ? nullptr : std::memchr(block_.data(), '\n', block_.size());
  if (feed == nullptr) return false;
  const auto size = static_cast<std::size_t>(static_cast<const char*>(feed) - block_.data());
  line = block_.substr(0, size);
  block_.remove_prefix(size + 1);
  consumed_ += size + 1;
  return true;
}

// Bytes over the limit are dropped.
void LineReader::join(std::string_view part) {
  const bool was_truncated = is_truncated();
  line_bytes_ += part.size();
  if (!is_truncated()) {
    joined_ += part;
  } else if (!was_truncated) {
    joined_ += part.substr(0, kKeptBytes - std::min(kKeptBytes, joined_.size()));
    joined_.resize(std::min(joined_.size(), kKeptBytes));
    joined_.shrink_to_fit();
  }
}

bool LineReader::finish_line_across_blocks(std::string_view& line) {
  joined_.clear();
  line_bytes_ = 0;
  join(block_);
  bool has_end = false;
  while (!has_end) {
    block_ = bytes_->next_block();
    if (block_.empty()) break;
    std::string_view part = block_;
    has_end = take_line(part);
    if (!has_end) consumed_ += part.size();
    join(part);
  }
  line = joined_;
  return has_end || line_bytes_ != 0;
}

bool LineReader::next(std::string_view& line) {
  const std::uint64_t offset = consumed_;
  if (take_line(line)) {
    line_bytes_ = line.size();
    if (is_truncated()) line = line.substr(0, kKeptBytes);
  } else {
    consumed_ += block_.size();
    if (!finish_line_across_blocks(line)) return false;
  }
  ++line_number_;
  line_offset_ = offset;
  return true;
}

}  // namespace bertprep
