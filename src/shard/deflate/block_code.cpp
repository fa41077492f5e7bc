#include "shard/deflate/block_code.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "shard/deflate/prefix_code.h"

namespace bertprep {
namespace {

// RFC 1951, 3.2.5: the number of extra bits for a length's distance from the shortest one of its symbol.
constexpr std::array<std::uint8_t, kRepeatSymbols> kExtraBits = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                                 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};

constexpr std::size_t kLengthSymbols = 19;
constexpr unsigned kMaxLengthBits = 7;
constexpr std::size_t kMinLengthsSent = 4;
constexpr std::size_t kMinLiteralsSent = 257;

// Symbols above 15 repeat: 16 the previous length, 17 and 18 zeros.
struct Repeat {
  std::uint8_t symbol;
  unsigned extra_bits;
  std::size_t min;
  std::size_t max;
};
constexpr Repeat kRepeatLast{16, 2, 3, 6};
constexpr Repeat kRepeatZero{17, 3, 3, 10};
constexpr Repeat kRepeatZeroLong{18, 7, 11, 138};

struct LengthSymbol {
  std::uint8_t symbol;
  BitCode extra;
};

using LengthSymbols = std::vector<LengthSymbol>;

// Writes repeats as long as enough are left; returns how many lengths they cover.
std::size_t add_repeats(const Repeat& repeat, std::size_t count, LengthSymbols& symbols) {
  std::size_t covered = 0;
  while (count - covered >= repeat.min) {
    const std::size_t length = std::min(count - covered, repeat.max);
    symbols.push_back({repeat.symbol, {static_cast<std::uint32_t>(length - repeat.min), repeat.extra_bits}});
    covered += length;
  }
  return covered;
}

void add_run(std::uint8_t length, std::size_t count, LengthSymbols& symbols) {
  if (length == 0) {
    count -= add_repeats(kRepeatZeroLong, count, symbols);
    count -= add_repeats(kRepeatZero, count, symbols);
  } else {
    symbols.push_back({length, {}});
    --count;
    count -= add_repeats(kRepeatLast, count, symbols);
  }
  for (; count > 0; --count) symbols.push_back({length, {}});
}

LengthSymbols length_symbols(std::span<const std::uint8_t> lengths) {
  LengthSymbols symbols;
  symbols.reserve(lengths.size());
  for (std::size_t i = 0; i < lengths.size();) {
    std::size_t end = i + 1;
    while (end < lengths.size() && lengths[end] == lengths[i]) ++end;
    add_run(lengths[i], end - i, symbols);
    i = end;
  }
  return symbols;
}

std::size_t sent_literals(std::span<const std::uint8_t> lengths) {
  std::size_t count = lengths.size();
  while (count > kMinLiteralsSent && lengths[count - 1] == 0) --count;
  return count;
}

}  // namespace

BlockCode::BlockCode(BlockCounts counts) {
  counts[kEndOfBlock] += 1;
  const CodeLengths lengths = code_lengths(counts, kMaxLiteralBits);
  const CodeBits codes = canonical_codes(std::span(lengths).first(counts.size()));
  for (std::size_t i = 0; i < literals_.size(); ++i) literals_[i] = {codes[i], lengths[i]};
  end_of_block_ = {codes[kEndOfBlock], lengths[kEndOfBlock]};
  for (std::size_t i = 0; i < kRepeatSymbols; ++i) {
    const std::size_t symbol = kFirstRepeatSymbol + i;
    if (lengths[symbol] > 0) set_repeats(i, {codes[symbol], lengths[symbol]});
  }
  header_ = block_header(std::span(lengths).first(counts.size()));
}

// A length symbol, its extra bits, then distance 1: the only code of its alphabet, a 0 bit.
void BlockCode::set_repeats(std::size_t index, BitCode symbol) {
  const std::size_t shortest = kShortestRepeat[index];
  const std::size_t end = index + 1 < kRepeatSymbols ? kShortestRepeat[index + 1] : kMaxRepeat + 1;
  for (std::size_t length = shortest; length < end; ++length) {
    const auto extra = static_cast<std::uint32_t>(length - shortest);
    repeats_[length] = {symbol.bits | extra << symbol.count, symbol.count + kExtraBits[index] + 1U};
  }
}

void BlockCode::write_header(BitWriter& writer, bool last) const {
  writer.put(last ? 1 : 0, 1);
  for (const BitCode code : header_) writer.put(code);
}

std::vector<BitCode> block_header(std::span<const std::uint8_t> literal_lengths) {
  constexpr std::array<std::uint8_t, kLengthSymbols> kOrder = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                               11, 4,  12, 3, 13, 2, 14, 1, 15};
  const std::size_t literals = sent_literals(literal_lengths);
  std::array<std::uint8_t, kBlockSymbols + 1> sent;
  *std::copy_n(literal_lengths.begin(), literals, sent.begin()) = 1;  // the one distance
  const LengthSymbols symbols = length_symbols(std::span(sent).first(literals + 1));

  std::array<std::uint64_t, kLengthSymbols> counts{};
  for (const LengthSymbol& item : symbols) ++counts[item.symbol];
  const CodeLengths lengths = code_lengths(counts, kMaxLengthBits);
  const CodeBits codes = canonical_codes(std::span(lengths).first(counts.size()));
  std::size_t lengths_sent = kOrder.size();
  while (lengths_sent > kMinLengthsSent && lengths[kOrder[lengths_sent - 1]] == 0) --lengths_sent;

  std::vector<BitCode> header;
  header.reserve(4 + lengths_sent + symbols.size());
  header.push_back({2, 2});  // a block with its own code
  header.push_back({static_cast<std::uint32_t>(literals - kMinLiteralsSent), 5});
  header.push_back({0, 5});
  header.push_back({static_cast<std::uint32_t>(lengths_sent - kMinLengthsSent), 4});
  for (std::size_t i = 0; i < lengths_sent; ++i) header.push_back({lengths[kOrder[i]], 3});
  for (const LengthSymbol& item : symbols) {
    const std::uint32_t count = lengths[item.symbol];
    header.push_back({codes[item.symbol] | item.extra.bits << count, count + item.extra.count});
  }
  return header;
}

}  // namespace bertprep
