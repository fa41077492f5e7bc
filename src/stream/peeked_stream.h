// PeekedStream: a stream whose first bytes can be looked at before they are read.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include "stream/byte_stream.h"

namespace bertprep {

class PeekedStream final : public ByteStream {
 public:
  explicit PeekedStream(std::unique_ptr<ByteStream> bytes);

  // The first `wanted` bytes or more, fewer only if there are no more. Before the first next_block() only; the view is
  // valid until the next call. Damage that is met on the way is thrown by next_block() in its place.
  std::string_view peek(std::size_t wanted);

  std::string_view next_block() override;
  bool is_after_gap() const override;

 private:
  std::string_view read_below();

  std::unique_ptr<ByteStream> bytes_;
  std::string_view block_;  // of bytes_, or all of gathered_
  std::string gathered_;    // several small blocks
  std::exception_ptr damage_;
  bool at_end_ = false;
  bool is_replayed_ = true;  // what peek() has read was handed out
};

}  // namespace bertprep
