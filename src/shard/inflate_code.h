// InflateCode: a Huffman code of a deflate block as a table, for reading (RFC 1951, 3.2).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "shard/huffman.h"

namespace bertprep {

// What a code stands for: one byte or two, the end of the block, the place of more entries, or a number that extra bits
// add to.
struct InflateEntry {
  enum Kind : std::uint8_t { kInvalid, kEnd, kSubtable, kNumber, kLiteral };

  std::uint8_t code_bits = 0;  // of a subtable none
  Kind kind : 4 = kInvalid;
  std::uint8_t count : 4 = 0;  // extra bits of a number, bytes of a literal
  std::uint16_t value = 0;     // of literals the second byte is the higher one

  // Of symbols of deflate's alphabets.
  static constexpr InflateEntry literal(std::size_t byte) { return entry(kLiteral, 1, byte); }
  static constexpr InflateEntry number(std::size_t smallest, std::size_t extra_bits) {
    return entry(kNumber, extra_bits, smallest);
  }
  static constexpr InflateEntry entry(Kind kind, std::size_t count, std::size_t value) {
    return {0, kind, static_cast<std::uint8_t>(count), static_cast<std::uint16_t>(value)};
  }
};
static_assert(sizeof(InflateEntry) == 4, "tables fit the fastest cache");

// Of deflate's three alphabets: how many symbols there are at most, how long codes are, and up to which length they are
// found in one step. All are complete codes, but some may have one symbol of one bit, or none.
struct InflateAlphabet {
  std::size_t symbols;
  unsigned max_bits;
  unsigned table_bits;
  bool may_be_incomplete;
};
inline constexpr InflateAlphabet kLiteralAlphabet{kMaxCodeSymbols, kMaxCodeBits, 11, true};
inline constexpr InflateAlphabet kDistanceAlphabet{32, kMaxCodeBits, 9, true};
inline constexpr InflateAlphabet kLengthAlphabet{19, 7, 7, false};

template <const InflateAlphabet& kAlphabet>
class InflateCode {
 public:
  // Takes the code whose symbol i has `lengths[i]` bits, 0 for one that does not occur, and stands for `meanings[i]`.
  // False when that is no code that the alphabet allows. As many lengths as meanings at most.
  bool assign(std::span<const std::uint8_t> lengths, std::span<const InflateEntry> meanings);

  // What `bits`, the next of the stream, start with; perhaps kSubtable.
  InflateEntry find_short(std::uint64_t bits) const { return table_[bits & kTableMask]; }
  InflateEntry find_long(InflateEntry subtable, std::uint64_t bits) const {
    return table_[subtable.value + (bits >> kTableBits & kSubtableMask)];
  }
  // Never kSubtable.
  InflateEntry find(std::uint64_t bits) const {
    const InflateEntry entry = find_short(bits);
    return entry.kind == InflateEntry::kSubtable ? find_long(entry, bits) : entry;
  }

 private:
  static constexpr unsigned kTableBits = kAlphabet.table_bits;
  static constexpr std::size_t kTableSize = std::size_t{1} << kTableBits;
  static constexpr std::size_t kTableMask = kTableSize - 1;
  static constexpr std::size_t kSubtableSize = std::size_t{1} << (kAlphabet.max_bits - kTableBits);
  static constexpr std::size_t kSubtableMask = kSubtableSize - 1;
  // A complete code has two symbols under each start of a long code.
  static constexpr std::size_t kMaxSubtables = kAlphabet.max_bits > kTableBits ? kAlphabet.symbols / 2 : 0;

  void place(std::uint16_t code, InflateEntry entry);
  void join_literals();

  std::array<InflateEntry, kTableSize + kMaxSubtables * kSubtableSize> table_;
  std::size_t used_ = 0;
};

}  // namespace bertprep
