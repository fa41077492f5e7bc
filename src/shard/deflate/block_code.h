// Blocks of deflate (RFC 1951): BitWriter packs codes, BlockCode is the code of a block and its header.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace bertprep {

// A code, in the order of output, and its length.
struct BitCode {
  std::uint32_t bits = 0;
  std::uint32_t count = 0;
};

// BitWriter: codes packed into bytes from the lowest bit up (3.1.1).
class BitWriter {
 public:
  // At most this many bits in one put(): with the up to 7 pending ones they fill one word.
  static constexpr unsigned kMaxPutBits = 56;
  // put() stores whole words: this many bytes after the last one may be overwritten.
  static constexpr std::size_t kSlackBytes = 8;

  // `out` must have room for the output and kSlackBytes more.
  explicit BitWriter(std::uint8_t* out) : out_(out) {}

  // Bits of `bits` above `count` must be 0.
  void put(std::uint64_t bits, unsigned count) {
    static_assert(std::endian::native == std::endian::little, "words are stored as in memory");
    assert(count <= kMaxPutBits && (bits >> count) == 0);
    waiting_ |= bits << waiting_bits_;
    waiting_bits_ += count;
    std::memcpy(out_, &waiting_, sizeof(waiting_));
    out_ += waiting_bits_ / 8;
    waiting_ >>= waiting_bits_ & ~7U;
    waiting_bits_ &= 7U;
  }
  void put(BitCode code) { put(code.bits, code.count); }

  // Fills the last byte with zero bits and returns the end of the output.
  std::uint8_t* align() {
    if (waiting_bits_ > 0) put(0, 8 - waiting_bits_);
    return out_;
  }

 private:
  std::uint8_t* out_;
  std::uint64_t waiting_ = 0;
  unsigned waiting_bits_ = 0;
};

inline constexpr unsigned kMaxCodeBits = 15;
inline constexpr std::size_t kMaxCodeSymbols = 288;

// By symbol; 0 for those that have no code.
using CodeLengths = std::array<std::uint8_t, kMaxCodeSymbols>;
using CodeBits = std::array<std::uint16_t, kMaxCodeSymbols>;

// The lengths of a complete prefix code for the symbols with a count above 0, in which no length exceeds `max_bits`. A
// lone symbol gets length 1. The result is the same on every machine.
//
// This is Shannon's code with a common correction: a length is the logarithm of the symbol's share plus the least
// amount with which all codes fit, rounded down; the space that is left shortens some codes by one bit. On shards, the
// output is 0.04 % longer than with Huffman's codes, which take four times as long to make.
//
// `max_bits` must leave room for the symbols: at most 2^max_bits. At most kMaxCodeBits and kMaxCodeSymbols are allowed.
CodeLengths code_lengths(std::span<const std::uint64_t> counts, unsigned max_bits);

// The canonical code of these lengths (RFC 1951, 3.2.2), each with its bits reversed as deflate sends them.
CodeBits canonical_codes(std::span<const std::uint8_t> lengths);

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

// BlockCode: the prefix code of a deflate block of only literals and runs (matches at distance 1), and the header that
// transmits the code.
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

// The header of a dynamic block, which transmits its code: everything between the bit "last block" and the first
// symbol, for a literal/length code of these lengths and a distance code for distance 1 only, as the bit 0 (RFC 1951,
// 3.2.7).
std::vector<BitCode> block_header(std::span<const std::uint8_t> literal_lengths);

}  // namespace bertprep
