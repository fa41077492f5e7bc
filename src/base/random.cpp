// Seeding and the block generation of MT19937, after Matsumoto and Nishimura (ACM TOMACS 8, 1998) and
// CPython's choice of key: the 32-bit words of |seed|, least significant first.
#include "base/random.h"

#include <algorithm>
#include <vector>

#include "base/clones.h"
#include "base/number_text.h"
#include "bertprep/base/error.h"

namespace bertprep {
namespace {

constexpr std::uint32_t kShiftDistance = 397;
constexpr std::uint32_t kKeySeed = 19650218;

std::string checked_integer(std::string_view seed) {
  try {
    return canonical_integer(seed);
  } catch (const ConfigError& error) {
    throw ConfigError(error.what(), "random seed", "give an integer such as 12345");
  }
}

// words = words * factor + addend
void multiply_add(std::vector<std::uint32_t>& words, std::uint32_t factor, std::uint32_t addend) {
  std::uint64_t carry = addend;
  for (std::uint32_t& word : words) {
    carry += std::uint64_t{word} * factor;
    word = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  if (carry != 0) words.push_back(static_cast<std::uint32_t>(carry));
}

std::vector<std::uint32_t> key_of(std::string_view seed) {
  constexpr std::size_t kDigitsAtOnce = 9;
  const std::string integer = checked_integer(seed);
  std::vector<std::uint32_t> words;
  for (std::size_t at = integer[0] == '-' ? 1 : 0; at < integer.size(); at += kDigitsAtOnce) {
    std::uint32_t value = 0;
    std::uint32_t power = 1;
    for (const char digit : std::string_view(integer).substr(at, kDigitsAtOnce)) {
      value = value * 10 + static_cast<std::uint32_t>(digit - '0');
      power *= 10;
    }
    multiply_add(words, power, value);
  }
  if (words.empty()) words.push_back(0);
  return words;
}

std::uint32_t stir(std::uint32_t previous, std::uint32_t factor) {
  return (previous ^ (previous >> 30)) * factor;
}

std::uint32_t twist(std::uint32_t high, std::uint32_t low) {
  const std::uint32_t joined = (high & 0x80000000U) | (low & 0x7fffffffU);
  return (joined >> 1) ^ ((0U - (joined & 1U)) & 0x9908b0dfU);
}

std::uint32_t temper(std::uint32_t value) {
  value ^= value >> 11;
  value ^= (value << 7) & 0x9d2c5680U;
  value ^= (value << 15) & 0xefc60000U;
  return value ^ (value >> 18);
}

}  // namespace

Random::Random(std::string_view seed) {
  state_[0] = kKeySeed;
  for (std::uint32_t i = 1; i < kWords; ++i) state_[i] = stir(state_[i - 1], 1812433253U) + i;

  const std::vector<std::uint32_t> key = key_of(seed);
  std::uint32_t i = 1;
  const auto step = [&] {
    if (++i < kWords) return;
    state_[0] = state_[kWords - 1];
    i = 1;
  };
  const std::size_t rounds = std::max<std::size_t>(kWords, key.size());
  for (std::size_t round = 0, word = 0; round < rounds; ++round, step()) {
    state_[i] = (state_[i] ^ stir(state_[i - 1], 1664525U)) + key[word] + static_cast<std::uint32_t>(word);
    if (++word == key.size()) word = 0;
  }
  for (std::uint32_t round = 1; round < kWords; ++round, step()) {
    state_[i] = (state_[i] ^ stir(state_[i - 1], 1566083941U)) - i;
  }
  state_[0] = 0x80000000U;
}

// A word depends on no word less than 227 places back, so the compiler can vectorize; tempering is a separate pass for
// the same reason.
BERTPREP_CLONES
void Random::refill() {
  constexpr std::uint32_t kAhead = kWords - kShiftDistance;
  for (std::uint32_t i = 0; i < kAhead; ++i) {
    state_[i] = state_[i + kShiftDistance] ^ twist(state_[i], state_[i + 1]);
  }
  for (std::uint32_t i = kAhead; i < kWords - 1; ++i) {
    state_[i] = state_[i - kAhead] ^ twist(state_[i], state_[i + 1]);
  }
  state_[kWords - 1] = state_[kShiftDistance - 1] ^ twist(state_[kWords - 1], state_[0]);

  for (std::uint32_t i = 0; i < kWords; ++i) output_[i] = temper(state_[i]);
  next_ = 0;
  ++refills_;
}

// A rejected draw is overwritten by the next one. Only the ends of the inner loop, one per number of bits, branch on
// random values.
BERTPREP_CLONES
void Random::shuffle_partners(std::uint32_t n, std::uint16_t* partners) {
  const std::uint32_t total = n;
  while (n >= 2) {
    // All bounds from n down to a power of two take the same number of bits.
    const int shift = std::countl_zero(n);
    const std::uint32_t last = std::max(2U, 0x80000000U >> shift);
    while (n >= last) {
      if (next_ == kWords) refill();
      std::uint32_t next = next_;
      do {
        const std::uint32_t value = output_[next++] >> shift;
        partners[total - n] = static_cast<std::uint16_t>(value);
        n -= value < n ? 1 : 0;
      } while (n >= last && next < kWords);
      next_ = next;
    }
  }
}

}  // namespace bertprep
