// Random bits that are a function of a counter, so that they can be made in any order, by any thread, and again.
#pragma once

#include <cstdint>

namespace bertprep {

// The output function of SplitMix64 (Steele, Lea, Flood 2014) on a counter.
constexpr std::uint64_t mixed_bits(std::uint64_t counter) {
  std::uint64_t z = counter * 0x9E3779B97F4A7C15U + 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

// The key of row `row` of what `key` is for.
constexpr std::uint64_t key_of_row(std::uint64_t key, std::uint64_t row) {
  return mixed_bits(key + row);
}

// Uniform in [0, 1) with 53 bits.
constexpr double unit_real(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

// 32 bits for the element `index` of a tensor (the finalizer of MurmurHash3, which vectorizes).
constexpr std::uint32_t element_bits(std::uint64_t key, std::uint32_t index) {
  std::uint32_t x = (index + static_cast<std::uint32_t>(key)) ^ static_cast<std::uint32_t>(key >> 32);
  x = (x ^ (x >> 16)) * 0x85EBCA6BU;
  x = (x ^ (x >> 13)) * 0xC2B2AE35U;
  return x ^ (x >> 16);
}

}  // namespace bertprep
