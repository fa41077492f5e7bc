#include "io/line_reader.h"

#include <cstring>
#include <span>

namespace bertprep {
namespace {

constexpr std::size_t kFirstBufferBytes = std::size_t{1} << 18;

}  // namespace

LineReader::LineReader(const std::filesystem::path& path) : file_(path), buffer_(kFirstBufferBytes) {}

bool LineReader::fill() {
  if (at_end_) return false;
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) buffer_.resize(buffer_.size() * 2);
  const std::size_t wanted = buffer_.size() - end_;
  const std::size_t count = file_.read(std::span(buffer_).subspan(end_));
  at_end_ = count < wanted;
  end_ += count;
  return count > 0;
}

bool LineReader::next(std::string_view& line) {
  std::size_t searched = 0;
  const void* feed = nullptr;
  while (true) {
    feed = std::memchr(buffer_.data() + begin_ + searched, '\n', end_ - begin_ - searched);
    if (feed != nullptr) break;
    searched = end_ - begin_;
    if (!fill()) break;
  }
  if (feed == nullptr && begin_ == end_) return false;
  const std::size_t stop =
      feed == nullptr ? end_ : static_cast<std::size_t>(static_cast<const char*>(feed) - buffer_.data());
  line = std::string_view(buffer_.data() + begin_, stop - begin_);
  begin_ = feed == nullptr ? stop : stop + 1;
  ++line_number_;
  line_offset_ = consumed_;
  consumed_ = line_offset_ + line.size() + (feed == nullptr ? 0 : 1);
  return true;
}

}  // namespace bertprep
