#include "twins/random.h"

#include <algorithm>
#include <bit>

namespace bertprep::test {

PlainRandom::PlainRandom(std::uint64_t seed) {
  std::vector<std::uint32_t> key{static_cast<std::uint32_t>(seed)};
  if (seed >> 32 != 0) key.push_back(static_cast<std::uint32_t>(seed >> 32));

  const auto mixed = [&](std::size_t i) { return state_[i - 1] ^ (state_[i - 1] >> 30); };
  state_[0] = 19650218;
  for (std::size_t i = 1; i < kWords; ++i) {
    state_[i] = 1812433253U * mixed(i) + static_cast<std::uint32_t>(i);
  }
  std::size_t i = 1;
  for (std::size_t k = 0; k < kWords; ++k) {
    const std::size_t j = k % key.size();
    state_[i] = (state_[i] ^ (mixed(i) * 1664525U)) + key[j] + static_cast<std::uint32_t>(j);
    if (++i == kWords) {
      state_[0] = state_[kWords - 1];
      i = 1;
    }
  }
  for (std::size_t k = 0; k < kWords - 1; ++k) {
    state_[i] = (state_[i] ^ (mixed(i) * 1566083941U)) - static_cast<std::uint32_t>(i);
    if (++i == kWords) {
      state_[0] = state_[kWords - 1];
      i = 1;
    }
  }
  state_[0] = 0x80000000U;
}

// The state is renewed word by word, just before a word is used.
std::uint32_t PlainRandom::output() {
  const std::uint32_t joined = (state_[at_] & 0x80000000U) | (state_[(at_ + 1) % kWords] & 0x7fffffffU);
  state_[at_] = state_[(at_ + 397) % kWords] ^ (joined >> 1) ^ (joined % 2 == 1 ? 0x9908b0dfU : 0U);
  std::uint32_t value = state_[at_];
  at_ = (at_ + 1) % kWords;
  ++draws_;
  value ^= value >> 11;
  value ^= (value << 7) & 0x9d2c5680U;
  value ^= (value << 15) & 0xefc60000U;
  return value ^ (value >> 18);
}

double PlainRandom::real() {
  const double high = output() >> 5;
  const double low = output() >> 6;
  return (high * 67108864.0 + low) / 9007199254740992.0;
}

std::size_t PlainRandom::below(std::size_t n) {
  std::size_t value = n;
  while (value >= n) value = output() >> (32 - static_cast<int>(std::bit_width(n)));
  return value;
}

}  // namespace bertprep::test
