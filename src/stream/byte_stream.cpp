#include "stream/byte_stream.h"

#include <algorithm>
#include <limits>
#include <system_error>
#include <utility>

#include "bertprep/base/error.h"

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

FileStream::FileStream(const std::filesystem::path& path, std::uint64_t begin, std::uint64_t end)
    : file_(path),
      first_size_bytes_(file_.size_bytes()),
      begin_(begin),
      left_bytes_(end == 0 ? std::numeric_limits<std::uint64_t>::max() : end - std::min(begin, end)) {
  if (begin != 0) file_.seek(begin);
}

FileStream::FileStream(const std::filesystem::path& path, ReadMeter* meter) : FileStream(path) {
  meter_ = meter;
}

std::string_view FileStream::next_block() {
  const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(left_bytes_, buffer_.size()));
  const std::size_t count = file_.read(buffer_.span().first(wanted));
  left_bytes_ -= count;
  if (meter_ != nullptr) meter_->see(read_bytes_, buffer_.first(count));
  read_bytes_ += count;
  if (count < wanted) require_all_read();
  if (meter_ != nullptr) meter_->reach(read_bytes_);
  return buffer_.first(count);
}

// Another program may truncate or rewrite the file while it is read: what is gone must not look like its end. (In some
// file systems, the size of a file is not the number of its bytes.)
void FileStream::require_all_read() const {
  if (begin_ + read_bytes_ >= first_size_bytes_ || file_.size_bytes() >= first_size_bytes_) return;
  throw IoError("became shorter while it was read", file_.path(),
                "give the command again when no other program writes the file");
}

PeekedStream::PeekedStream(std::unique_ptr<ByteStream> bytes) : bytes_(std::move(bytes)) {}

std::string_view PeekedStream::read_below() {
  try {
    const std::string_view block = bytes_->next_block();
    at_end_ = block.empty();
    return block;
  } catch (const FormatError&) {
    damage_ = std::current_exception();
    at_end_ = true;
    return {};
  }
}

// Blocks are returned as received, each with its attributes; a view lasts until the next one is read.
void PeekedStream::hold(std::string_view block) {
  if (block.empty()) return;
  if (!held_.empty()) block = copies_.emplace_back(block);
  held_.push_back({block, bytes_->place()});
}

std::string_view PeekedStream::peek(std::size_t wanted) {
  const auto peeked = [this] {
    if (held_.empty()) return std::string_view{};
    return held_.size() == 1 ? held_.front().bytes : std::string_view(gathered_);
  };
  while (peeked().size() < wanted && !at_end_) {
    if (held_.size() == 1) {
      gathered_ = held_.front().bytes;
      held_.front().bytes = copies_.emplace_back(gathered_);
    }
    const std::string_view more = read_below();
    if (!held_.empty()) gathered_ += more;
    hold(more);
  }
  return peeked();
}

std::string_view PeekedStream::next_block() {
  if (next_ < held_.size()) return held_[next_++].bytes;
  next_ = held_.size() + 1;
  if (damage_) std::rethrow_exception(damage_);
  return at_end_ ? std::string_view{} : bytes_->next_block();
}

BlockPlace PeekedStream::place() const {
  if (next_ > held_.size()) return bytes_->place();
  return next_ == 0 ? BlockPlace() : held_[next_ - 1].place;
}

}  // namespace bertprep
