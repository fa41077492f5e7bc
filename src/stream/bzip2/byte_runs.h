// ByteRuns: the codes of a bzip2 block -> the last column of its sorted rotations, as runs of equal bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "stream/bzip2/bit_reader.h"
#include "stream/bzip2/block_head.h"

namespace bertprep {

// A byte and how often it stands there, 0 to 255 times: longer runs are several. Without initial values, so that memory
// for a million of them is touched only where runs are.
struct Bzip2Run {
  std::uint8_t byte;
  std::uint8_t count;
};

class Bzip2Runs {
 public:
  Bzip2Runs();

  // Reads the block behind `head`; false when it can't be so. `end_bit` as for BitReader.
  bool read(const BlockHead& head, BitReader& bits, std::uint64_t end_bit);

  std::span<const Bzip2Run> runs() const { return {runs_.get(), count_}; }
  std::uint32_t bytes() const { return bytes_; }
  // How often each byte stands there.
  const std::array<std::uint32_t, 256>& counts() const { return counts_; }

 private:
  bool add_long(std::uint8_t byte, std::uint64_t count);

  std::unique_ptr<Bzip2Run[]> runs_;  // one a byte at most, and those of a group that is too much
  std::size_t count_ = 0;
  std::uint32_t bytes_ = 0;
  std::array<std::uint32_t, 256> counts_{};
};

}  // namespace bertprep
