// LiteralBlock: writes one byte plane of padded rows as a deflate block: literals, then a run of zeros up to the row's
// end. The code is learned from the first plane; every byte has a code, even if it first occurs later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "shard/deflate/bit_writer.h"
#include "shard/deflate/block_code.h"

namespace bertprep {

// Rows of `row_length` bytes; row r has only zeros from used[r] on.
struct PaddedRows {
  std::span<const std::uint8_t> bytes;
  std::size_t row_length;
  std::span<const std::uint32_t> used;
};

class LiteralBlock {
 public:
  void write(const PaddedRows& rows, bool last, BitWriter& writer);

 private:
  std::optional<BlockCode> code_;
};

}  // namespace bertprep
