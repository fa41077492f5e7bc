#include "stream/line_reader.h"

#include <cstring>
#include <utility>

namespace bertprep {

LineReader::LineReader(std::string name, std::unique_ptr<ByteStream> bytes, std::uint64_t first_line,
                       std::uint64_t first_byte)
    : name_(std::move(name)), bytes_(std::move(bytes)), line_number_(first_line - 1), consumed_(first_byte) {}

// The first line of the block, when it ends there.
bool LineReader::take_line(std::string_view& line) {
  const void* feed = block_.empty() ? nullptr : std::memchr(block_.data(), '\n', block_.size());
  if (feed == nullptr) return false;
  const auto size = static_cast<std::size_t>(static_cast<const char*>(feed) - block_.data());
  line = block_.substr(0, size);
  block_.remove_prefix(size + 1);
  consumed_ += size + 1;
  return true;
}

bool LineReader::finish_line_across_blocks(std::string_view& line) {
  joined_ = block_;
  while (true) {
    block_ = bytes_->next_block();
    if (block_.empty()) {
      consumed_ += joined_.size();
      line = joined_;
      return !joined_.empty();
    }
    if (take_line(line)) break;
    joined_ += block_;
  }
  if (joined_.empty()) return true;
  consumed_ += joined_.size();
  joined_ += line;
  line = joined_;
  return true;
}

bool LineReader::next(std::string_view& line) {
  const std::uint64_t offset = consumed_;
  if (!take_line(line) && !finish_line_across_blocks(line)) return false;
  ++line_number_;
  line_offset_ = offset;
  return true;
}

}  // namespace bertprep
