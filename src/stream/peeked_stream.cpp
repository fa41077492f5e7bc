#include "stream/peeked_stream.h"

#include <utility>

#include "bertprep/base/error.h"

namespace bertprep {

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

// Blocks are handed out as they came, each with what is known about it; a view lasts until the next one is read.
void PeekedStream::hold(std::string_view block) {
  if (block.empty()) return;
  if (!held_.empty()) block = copies_.emplace_back(block);
  held_.push_back({block, bytes_->is_after_gap(), bytes_->gap(), bytes_->file_byte()});
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

bool PeekedStream::is_after_gap() const {
  if (next_ > held_.size()) return bytes_->is_after_gap();
  return next_ != 0 && held_[next_ - 1].is_after_gap;
}

FileBytes PeekedStream::gap() const {
  if (next_ > held_.size()) return bytes_->gap();
  return next_ == 0 ? FileBytes() : held_[next_ - 1].gap;
}

std::optional<std::uint64_t> PeekedStream::file_byte() const {
  if (next_ > held_.size()) return bytes_->file_byte();
  return next_ == 0 ? std::nullopt : held_[next_ - 1].file_byte;
}

}  // namespace bertprep
