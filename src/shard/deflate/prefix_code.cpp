#include "shard/deflate/prefix_code.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

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

}  // namespace bertprep
