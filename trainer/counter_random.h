// Random bits as a function of a counter, so that they can be computed in any order, by any thread, and repeatedly.
#pragma once

#include <cstdint>

#include "base/random.h"

namespace bertprep {

// The key of row `row` within `key`.
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
