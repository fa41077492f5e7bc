#include "shard/deflate/block_code.h"

#include <algorithm>

#include "base/clones.h"

namespace bertprep {
namespace {

// The loops over all symbols have no branches and 32-bit values, so that they become packed instructions.
using SymbolValues = std::array<std::uint32_t, kMaxCodeSymbols>;

// Lengths that aren't rounded are in steps of 2^-8 bits.
constexpr unsigned kStepBits = 8;
constexpr std::uint32_t kStepsPerBit = 1U << kStepBits;

// log2(value) plus a constant, within 0.01 bits: the exponent and the fraction f of `value` as a float, and for the
// fraction's logarithm the parabola f + 11/32 f (1 - f). 0 < value < 2^31.
BERTPREP_INLINE std::uint32_t log2_steps(std::uint32_t value) {
  constexpr unsigned kFractionBits = 15;
  constexpr std::uint32_t kOne = 1U << kFractionBits;
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int32_t>(value)));
  const std::uint32_t fraction = bits >> (23 - kFractionBits) & (kOne - 1);
  const std::uint32_t bend = (fraction * (kOne - fraction) >> kFractionBits) * 11 >> 5U;
  return ((bits >> 23U) << kStepBits) + ((fraction + bend) >> (kFractionBits - kStepBits));
}

class IdealLengths {
 public:
  IdealLengths(std::size_t symbols, std::uint32_t max_bits) : symbols_(symbols), max_bits_(max_bits) {}

  BERTPREP_INLINE void set(const SymbolValues& counts, std::uint32_t total) {
    const std::uint32_t log2_of_total = log2_steps(total);
    for (std::size_t i = 0; i < symbols_; ++i) {
      used_[i] = counts[i] != 0;
      ideal_[i] = std::clamp(log2_of_total - log2_steps(counts[i]), kStepsPerBit, max_bits_ << kStepBits);
    }
  }

  BERTPREP_INLINE std::uint32_t length(std::size_t symbol, std::uint32_t more) const {
    return std::min((ideal_[symbol] + more) >> kStepBits, max_bits_);
  }

  // Of 2^max_bits, what the codes take if all ideal lengths grow by `more` steps.
  BERTPREP_INLINE std::uint32_t space(std::uint32_t more) const {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < symbols_; ++i) sum += used_[i] << (max_bits_ - length(i, more));
    return sum;
  }

  // The least number of steps with which all codes fit.
  BERTPREP_INLINE std::uint32_t least_that_fits() const {
    const std::uint32_t all = 1U << max_bits_;
    if (space(0) <= all) return 0;
    std::uint32_t too_few = 0;
    std::uint32_t enough = kStepsPerBit;
    for (; space(enough) > all; enough *= 2) too_few = enough;
    while (enough - too_few > 1) {
      const std::uint32_t middle = (too_few + enough) / 2;
      (space(middle) > all ? too_few : enough) = middle;
    }
    return enough;
  }

  BERTPREP_INLINE void round(std::uint32_t more, CodeLengths& lengths) const {
    for (std::size_t i = 0; i < symbols_; ++i) lengths[i] = static_cast<std::uint8_t>(length(i, more) * used_[i]);
  }

 private:
  std::size_t symbols_;
  std::uint32_t max_bits_;
  SymbolValues ideal_;
  SymbolValues used_;
};

// The first code of each length, from the shortest on, as long as there is space: a code that is shorter by one bit
// takes its own space once more. Two codes or more always fill the space in the end, as the longest of them measure it.
void fill_space(std::uint32_t space, unsigned max_bits, std::size_t symbols, CodeLengths& lengths) {
  while (space > 0) {
    for (unsigned bits = 2; bits <= max_bits; ++bits) {
      for (const std::uint32_t size = 1U << (max_bits - bits); size <= space; space -= size) {
        void* const found = std::memchr(lengths.data(), static_cast<int>(bits), symbols);
        if (found == nullptr) break;
        --*static_cast<std::uint8_t*>(found);
      }
    }
  }
}

// Counts with a sum below 2^31, none of which becomes 0.
BERTPREP_INLINE std::uint32_t scale_down(std::span<const std::uint64_t> counts, SymbolValues& scaled) {
  std::uint64_t total = 0;
  for (const std::uint64_t count : counts) total += count;
  const unsigned shift = total >> 30U == 0 ? 0 : static_cast<unsigned>(std::bit_width(total)) - 30;
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto rest = static_cast<std::uint32_t>(counts[i] >> shift);
    scaled[i] = rest | static_cast<std::uint32_t>(rest == 0 && counts[i] != 0);
    sum += scaled[i];
  }
  return sum;
}

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

BERTPREP_CLONES
CodeLengths code_lengths(std::span<const std::uint64_t> counts, unsigned max_bits) {
  assert(counts.size() <= kMaxCodeSymbols && max_bits <= kMaxCodeBits);
  const std::size_t symbols = counts.size();
  CodeLengths lengths{};
  const auto used = counts.size() - static_cast<std::size_t>(std::count(counts.begin(), counts.end(), 0));
  if (used < 2) {
    for (std::size_t i = 0; i < symbols; ++i) lengths[i] = counts[i] != 0;
    return lengths;
  }
  SymbolValues scaled;
  const std::uint32_t total = scale_down(counts, scaled);
  IdealLengths ideal(symbols, max_bits);
  ideal.set(scaled, total);
  const std::uint32_t more = ideal.least_that_fits();
  ideal.round(more, lengths);
  fill_space((1U << max_bits) - ideal.space(more), max_bits, symbols, lengths);
  return lengths;
}

BERTPREP_CLONES
CodeBits canonical_codes(std::span<const std::uint8_t> lengths) {
  // next[b] is the number of codes shorter by one and becomes the first code of length b.
  std::array<std::uint32_t, kMaxCodeBits + 2> next{};
  for (const std::uint8_t length : lengths) ++next[length + 1U];
  next[1] = 0;
  for (std::size_t bits = 1; bits < next.size(); ++bits) next[bits] = (next[bits - 1] + next[bits]) << 1U;

  SymbolValues codes;
  for (std::size_t i = 0; i < lengths.size(); ++i) codes[i] = next[lengths[i]]++;
  CodeBits reversed{};
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    std::uint32_t code = codes[i];
    code = (code & 0x5555U) << 1U | (code >> 1U & 0x5555U);
    code = (code & 0x3333U) << 2U | (code >> 2U & 0x3333U);
    code = (code & 0x0F0FU) << 4U | (code >> 4U & 0x0F0FU);
    code = (code & 0x00FFU) << 8U | (code >> 8U & 0x00FFU);
    reversed[i] = static_cast<std::uint16_t>(code >> (16U - lengths[i]));
  }
  return reversed;
}

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
