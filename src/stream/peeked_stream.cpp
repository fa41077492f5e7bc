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

std::string_view PeekedStream::peek(std::size_t wanted) {
  while (block_.size() < wanted && !at_end_) {
    if (gathered_.empty()) gathered_ = block_;
    const std::string_view more = read_below();
    if (gathered_.empty()) {
      block_ = more;
    } else {
      gathered_ += more;
      block_ = gathered_;
    }
  }
  is_replayed_ = block_.empty();
  return block_;
}

std::string_view PeekedStream::next_block() {
  if (!std::exchange(is_replayed_, true)) return block_;
  if (damage_) std::rethrow_exception(damage_);
  return at_end_ ? std::string_view{} : bytes_->next_block();
}

bool PeekedStream::is_after_gap() const {
  return bytes_->is_after_gap();
}

}  // namespace bertprep
