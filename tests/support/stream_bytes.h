// All bytes of a stream, and streams whose blocks are chosen by the test.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bertprep/base/error.h"
#include "stream/byte_stream.h"

namespace bertprep::test {

inline std::string bytes_of(ByteStream& stream) {
  std::string bytes;
  for (std::string_view block = stream.next_block(); !block.empty(); block = stream.next_block()) bytes += block;
  return bytes;
}

// The bytes before the end or damage, and the damage.
struct PartRead {
  std::string bytes;
  std::optional<FormatError> damage;
};

inline PartRead read_as_far_as_possible(ByteStream& stream) {
  PartRead part;
  try {
    for (std::string_view block = stream.next_block(); !block.empty(); block = stream.next_block()) part.bytes += block;
  } catch (const FormatError& error) {
    part.damage = error;
  }
  return part;
}

// Blocks of the same size; throws FormatError after the last one if requested.
class BlockStream final : public ByteStream {
 public:
  BlockStream(std::string bytes, std::size_t block_bytes, bool is_damaged = false)
      : bytes_(std::move(bytes)), block_bytes_(block_bytes), is_damaged_(is_damaged) {}

  std::string_view next_block() override {
    block_ = bytes_.substr(begin_, block_bytes_);
    begin_ += block_.size();
    if (block_.empty() && is_damaged_) throw FormatError("damaged", "blocks");
    return block_;
  }

 private:
  std::string bytes_;
  std::size_t block_bytes_;
  bool is_damaged_;
  std::string block_;  // a copy: the view of the last call must no longer be used
  std::size_t begin_ = 0;
};

}  // namespace bertprep::test
