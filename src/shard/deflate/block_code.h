// BlockCode: the prefix code of a deflate block of only literals and runs (matches at distance 1), and the header that
// transmits the code.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shard/deflate/bit_writer.h"

namespace bertprep {

// How often each symbol of deflate's literal/length alphabet occurs (RFC 1951, 3.2.5): bytes, end of block,
// run lengths.
inline constexpr std::size_t kBlockSymbols = 286;
inline constexpr std::size_t kEndOfBlock = 256;
using BlockCounts = std::array<std::uint64_t, kBlockSymbols>;

inline constexpr std::size_t kMinRepeat = 3;
inline constexpr std::size_t kMaxRepeat = 258;

inline constexpr std::size_t kFirstRepeatSymbol = 257;
inline constexpr std::size_t kRepeatSymbols = kBlockSymbols - kFirstRepeatSymbol;
// The shortest length of each repetition symbol.
inline constexpr std::array<std::uint16_t, kRepeatSymbols> kShortestRepeat = {
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};

// The symbol for each length.
inline constexpr auto kRepeatSymbolOf = [] {
  std::array<std::uint16_t, kMaxRepeat + 1> symbols{};
  std::size_t index = 0;
  for (std::size_t length = kMinRepeat; length <= kMaxRepeat; ++length) {
    if (index + 1 < kRepeatSymbols && kShortestRepeat[index + 1] <= length) ++index;
    symbols[length] = static_cast<std::uint16_t>(kFirstRepeatSymbol + index);
  }
  return symbols;
}();

// The symbol for `length` repetitions, kMinRepeat <= length <= kMaxRepeat.
inline std::size_t repeat_symbol(std::size_t length) {
  return kRepeatSymbolOf[length];
}

class BlockCode {
 public:
  // Deflate allows 15 bits; with 14, four literals fit into one BitWriter::put.
  static constexpr unsigned kMaxLiteralBits = BitWriter::kMaxPutBits / 4;

  // A code for symbols with these counts. Only symbols with a count above 0 can be coded; end of block always can.
  explicit BlockCode(BlockCounts counts);

  BitCode literal(std::uint8_t byte) const { return literals_[byte]; }
  BitCode repeat(std::size_t length) const { return repeats_[length]; }
  BitCode end_of_block() const { return end_of_block_; }

  // Starts a block in this code; `last` marks the last block of the stream.
  void write_header(BitWriter& writer, bool last) const;

 private:
  // For the lengths of the repeat symbol with this index.
  void set_repeats(std::size_t index, BitCode symbol);

  std::array<BitCode, 256> literals_;
  std::array<BitCode, kMaxRepeat + 1> repeats_;
  BitCode end_of_block_;
  std::vector<BitCode> header_;
};

// The header of a dynamic deflate block: how it transmits its code.

// Everything between the bit "last block" and the first symbol, for a literal/length code of these lengths and a
// distance code for distance 1 only, as the bit 0 (RFC 1951, 3.2.7).
std::vector<BitCode> block_header(std::span<const std::uint8_t> literal_lengths);

}  // namespace bertprep
