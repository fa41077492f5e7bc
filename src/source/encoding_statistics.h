// What the bytes of a text in an 8-bit encoding are, and what they stand beside.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace bertprep {

struct ByteStatistics {
  std::array<std::uint64_t, 256> count{};
  // Of bytes from 80 on:
  std::array<std::uint64_t, 256> in_word{};      // between ASCII letters
  std::array<std::uint64_t, 256> after_lower{};  // behind a small ASCII letter
  std::array<std::uint64_t, 256> alone{};        // beside neither ASCII letters nor other bytes from 80 on
  std::uint64_t ascii_letters = 0;
  std::uint64_t high_bytes = 0;

  explicit ByteStatistics(std::string_view bytes);
};

}  // namespace bertprep
