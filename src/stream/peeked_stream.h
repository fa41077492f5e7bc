// PeekedStream: a stream whose first bytes can be looked at before they are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
  FileBytes gap() const override;
  std::optional<std::uint64_t> file_byte() const override;

 private:
  // A block that was read by peek().
  struct Held {
    std::string_view bytes;
    bool is_after_gap = false;
    FileBytes gap;
    std::optional<std::uint64_t> file_byte;
  };

  std::string_view read_below();
  void hold(std::string_view block);

  std::unique_ptr<ByteStream> bytes_;
  std::deque<std::string> copies_;  // of blocks, when there are several
  std::vector<Held> held_;
  std::size_t next_ = 0;  // of held_, to be handed out; behind its end they all have been
  std::string gathered_;  // the bytes of all of them, when there are several
  std::exception_ptr damage_;
  bool at_end_ = false;
};

}  // namespace bertprep
