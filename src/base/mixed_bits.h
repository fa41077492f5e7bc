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

}  // namespace bertprep
