// Random: the project's only random generator.
//
// It draws what CPython's random.Random draws for the same seed, call by call: MT19937 (Matsumoto and
// Nishimura, 1998) seeded by init_by_array with the 32-bit words of |seed|, least significant first; real()
// is Python's random(), below() its _randbelow(), shuffle() its shuffle(). Every draw decides bytes of the
// result; none may be skipped or cached.
//
// Not thread-safe: use one generator per task.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace bertprep {

class Random {
 public:
  // `seed` is a decimal integer of any size and sign, as Python accepts it; throws ConfigError for other text.
  explicit Random(std::string_view seed);

  std::uint32_t next_u32() {
    if (next_ == kWords) refill();
    return output_[next_++];
  }

  // Uniform in [0, 1) with 53 bits: two outputs.
  double real() {
    const std::uint32_t high = next_u32() >> 5;
    const std::uint32_t low = next_u32() >> 6;
    return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0);
  }

  // real() < 0.5, exactly, without the arithmetic.
  bool coin() {
    const std::uint32_t high = next_u32();
    next_u32();
    return (high >> 31) == 0;
  }

  // Uniform in [0, n), n >= 1. Takes bit_width(n) bits (of n, not of n - 1) and draws again until the value is below n:
  // for a power of two about half of the draws are rejected, and below(1) draws until a bit is 0.
  std::uint32_t below(std::uint32_t n) {
    const int shift = std::countl_zero(n);
    std::uint32_t value = next_u32() >> shift;
    while (value >= n) value = next_u32() >> shift;
    return value;
  }

  // Uniform in [first, last], both included.
  std::uint32_t between(std::uint32_t first, std::uint32_t last) { return first + below(last - first + 1); }

  // Fisher-Yates from the back, as random.shuffle: nothing is drawn for fewer than two values.
  template <class T>
  void shuffle(std::span<T> values) {
    for (std::size_t i = values.size(); i-- > 1;) {
      std::swap(values[i], values[below(static_cast<std::uint32_t>(i + 1))]);
    }
  }

  // Fills partners[k] with the partner of position n - 1 - k of a shuffle of n values (n - 1 draws),
  // consuming exactly the outputs that shuffle() consumes; n is at most 65535. Branch-free: rejected draws
  // are the cost of a shuffle, not the generator.
  void shuffle_partners(std::uint32_t n, std::uint16_t* partners);

  // The next outputs generated so far; skip() consumes the first `count` of them.
  std::span<const std::uint32_t> ready() const { return std::span(output_).subspan(next_); }
  void skip(std::uint32_t count) { next_ += count; }

  // 32-bit outputs consumed so far.
  std::uint64_t draws() const { return refills_ * kWords - (kWords - next_); }

 private:
  static constexpr std::uint32_t kWords = 624;
  void refill();

  std::array<std::uint32_t, kWords> state_;
  std::array<std::uint32_t, kWords> output_;
  std::uint32_t next_ = kWords;
  std::uint64_t refills_ = 0;
};

// Random bits that are a function of a counter, so that they can be made in any order, by any thread, and again: the
// output function of SplitMix64 (Steele, Lea, Flood 2014).
constexpr std::uint64_t mixed_bits(std::uint64_t counter) {
  std::uint64_t z = counter * 0x9E3779B97F4A7C15U + 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

}  // namespace bertprep
