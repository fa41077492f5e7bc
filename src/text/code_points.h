// One code point at a time out of valid UTF-8.
#pragma once

#include <string_view>

namespace bertprep {

// The code point that starts at `*at`; moves `at` behind it. The bytes are valid UTF-8.
inline char32_t next_code_point(const char*& at) {
  const auto byte = [&at](int i) { return static_cast<char32_t>(static_cast<unsigned char>(at[i])); };
  const char32_t first = byte(0);
  if (first < 0x80) {
    at += 1;
    return first;
  }
  if (first < 0xE0) {
    const char32_t c = (first & 0x1F) << 6 | (byte(1) & 0x3F);
    at += 2;
    return c;
  }
  if (first < 0xF0) {
    const char32_t c = (first & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    at += 3;
    return c;
  }
  const char32_t c = (first & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
  at += 4;
  return c;
}

inline bool is_continuation_byte(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

// The code point that ends right before `*at`; moves `at` to its first byte.
inline char32_t previous_code_point(const char*& at) {
  do --at;
  while (is_continuation_byte(*at));
  const char* start = at;
  return next_code_point(start);
}

}  // namespace bertprep
