// BlockHeader: the part of a bzip2 block before its codes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "stream/bzip2/bit_reader.h"
#include "stream/bzip2/prefix_code.h"

namespace bertprep {

// The maximum size of a block before sorting: nine times 100,000.
inline constexpr std::uint32_t kMaxBzip2BlockBytes = 900'000;
// Symbols per group, which share a code.
inline constexpr unsigned kBzip2GroupSymbols = 50;

struct BlockHeader {
  static constexpr std::size_t kMaxCodes = 6;

  std::uint32_t checksum = 0;
  bool is_randomized = false;   // by bzip2 before 0.9.5, for repetitive blocks
  std::uint32_t first_row = 0;  // which of the sorted rotations is the block
  std::array<std::uint8_t, 256> used_bytes{};
  std::size_t used_byte_count = 0;
  std::array<PrefixCode, kMaxCodes> codes;
  std::vector<std::uint8_t> code_of_group;

  // Reads all from the checksum on; false if it is invalid. `end_bit` as for BitReader.
  bool read(BitReader& bits, std::uint64_t end_bit);

 private:
  void read_used_bytes(BitReader& bits);
  bool read_groups(BitReader& bits, std::size_t code_count, std::uint64_t end_bit);
  bool read_code(BitReader& bits, PrefixCode& code, std::uint64_t end_bit) const;
};

}  // namespace bertprep
