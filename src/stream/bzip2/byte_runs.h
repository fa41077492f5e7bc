// Bzip2Runs: the codes of a bzip2 block -> the last column of its sorted rotations, as runs of equal bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "stream/bzip2/bit_reader.h"
#include "stream/bzip2/block_header.h"

namespace bertprep {

// A byte and how often it is repeated, 0 to 255 times; longer runs are split. The members have no initial values, so
// that of a million runs only the used ones touch memory.
struct Bzip2Run {
  std::uint8_t byte;
  std::uint8_t count;
};

class Bzip2Runs {
 public:
  Bzip2Runs();

  // Reads the block after `head`; false if it is invalid. `end_bit` as for BitReader.
  bool read(const BlockHeader& head, BitReader& bits, std::uint64_t end_bit);

  std::span<const Bzip2Run> runs() const { return {runs_.get(), count_}; }
  std::uint32_t bytes() const { return bytes_; }
  // How often each byte occurs.
  const std::array<std::uint32_t, 256>& counts() const { return counts_; }

 private:
  template <class Recent>
  bool read_with(const BlockHeader& head, BitReader& bits, std::uint64_t end_bit);
  bool read_by_vectors(const BlockHeader& head, BitReader& bits, std::uint64_t end_bit);

  std::unique_ptr<Bzip2Run[]> runs_;
  std::size_t count_ = 0;
  std::uint32_t bytes_ = 0;
  std::array<std::uint32_t, 256> counts_{};
};

}  // namespace bertprep
