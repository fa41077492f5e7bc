// Bzip2Decoder: one block of bzip2, from its bits to its run-length encoded bytes.
//
// The format follows the author's documentation of bzip2 1.0.8 and the behaviour of libbz2. Memory: 9 MB, reused for
// each block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "stream/bzip2/block_header.h"
#include "stream/bzip2/byte_runs.h"
#include "stream/bzip2/inverse_transform.h"

namespace bertprep {

class Bzip2Decoder {
 public:
  enum class Outcome {
    kDone,
    kDamaged,
    kRandomized,  // randomized by bzip2 before 0.9.5: left to libbz2
  };

  Bzip2Decoder();

  // Decodes the block whose checksum, which follows its mark, begins at `first_bit` of `bytes`; its bits end before
  // `end_bit`, and are followed by BitReader::kSlackBytes bytes.
  Outcome decode(const char* bytes, std::uint64_t first_bit, std::uint64_t end_bit);

  std::uint32_t checksum() const { return head_.checksum; }  // as stored in the block
  std::uint64_t end_bit() const { return end_bit_; }         // after the last code of a decoded block
  // Of a decoded block. See RunExpansion.
  std::span<const std::uint8_t> packed() const { return {packed_.get(), runs_.bytes()}; }

 private:
  BlockHeader head_;
  Bzip2Runs runs_;
  InverseTransform transform_;
  std::unique_ptr<std::uint8_t[]> packed_;
  std::uint64_t end_bit_ = 0;
};

}  // namespace bertprep
