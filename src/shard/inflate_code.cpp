#include "shard/inflate_code.h"

#include <algorithm>

namespace bertprep {
namespace {

// In parts of the whole that a complete code fills.
std::size_t filled_by(std::span<const std::uint8_t> lengths) {
  std::size_t filled = 0;
  for (const std::uint8_t length : lengths) filled += length == 0 ? 0 : (std::size_t{1} << kMaxCodeBits) >> length;
  return filled;
}

bool is_code(std::span<const std::uint8_t> lengths, bool may_be_incomplete) {
  constexpr std::size_t kWhole = std::size_t{1} << kMaxCodeBits;
  const std::size_t filled = filled_by(lengths);
  if (filled == kWhole) return true;
  const auto symbols = lengths.size() - static_cast<std::size_t>(std::count(lengths.begin(), lengths.end(), 0));
  return may_be_incomplete && (symbols == 0 || (symbols == 1 && filled == kWhole / 2));
}

}  // namespace

template <const InflateAlphabet& kAlphabet>
bool InflateCode<kAlphabet>::assign(std::span<const std::uint8_t> lengths, std::span<const InflateEntry> meanings) {
  if (!is_code(lengths, kAlphabet.may_be_incomplete)) return false;
  std::fill_n(table_.begin(), kTableSize, InflateEntry{});
  used_ = kTableSize;
  const std::vector<std::uint16_t> codes = canonical_codes(lengths);
  for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
    if (lengths[symbol] == 0) continue;
    InflateEntry entry = meanings[symbol];
    entry.code_bits = lengths[symbol];
    place(codes[symbol], entry);
  }
  join_literals();
  return true;
}

template <const InflateAlphabet& kAlphabet>
void InflateCode<kAlphabet>::place(std::uint16_t code, InflateEntry entry) {
  if (entry.code_bits <= kTableBits) {
    for (std::size_t i = code; i < kTableSize; i += std::size_t{1} << entry.code_bits) table_[i] = entry;
    return;
  }
  InflateEntry& start = table_[code & kTableMask];
  if (start.kind != InflateEntry::kSubtable) {
    start = InflateEntry::entry(InflateEntry::kSubtable, 0, used_);
    used_ += kSubtableSize;
  }
  const std::size_t step = std::size_t{1} << (entry.code_bits - kTableBits);
  for (std::size_t i = code >> kTableBits; i < kSubtableSize; i += step) table_[start.value + i] = entry;
}

// Two short literals in a row become one entry. What the rest of the bits start with stands at a lower index, so from
// the last one down it is still one literal.
template <const InflateAlphabet& kAlphabet>
void InflateCode<kAlphabet>::join_literals() {
  for (std::size_t i = kTableSize; i-- > 0;) {
    InflateEntry& first = table_[i];
    if (first.kind != InflateEntry::kLiteral) continue;
    const InflateEntry second = table_[i >> first.code_bits];
    if (second.kind != InflateEntry::kLiteral || first.code_bits + second.code_bits > int{kTableBits}) continue;
    first.value = static_cast<std::uint16_t>(first.value | unsigned{second.value} << 8U);
    first.code_bits = static_cast<std::uint8_t>(first.code_bits + second.code_bits);
    first.count = 2;
  }
}

template class InflateCode<kLiteralAlphabet>;
template class InflateCode<kDistanceAlphabet>;
template class InflateCode<kLengthAlphabet>;

}  // namespace bertprep
