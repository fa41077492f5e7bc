// White space as Python's str.isspace() has it: 29 code points.
#pragma once

#include <cstddef>
#include <string_view>

namespace bertprep::unicode {

constexpr bool is_space(char32_t c) {
  if (c < 0x80) return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20);
  if (c < 0x1680) return c == 0x85 || c == 0xA0;
  return c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

// Length of the white space character of two or three bytes that starts at text[at], or 0.
std::size_t wide_space_bytes(std::string_view text, std::size_t at);

// Length of the white space character that starts at text[at], or 0; `at` may be inside a character.
inline std::size_t space_bytes(std::string_view text, std::size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte < 0x80) return is_space(byte) ? 1 : 0;
  return wide_space_bytes(text, at);
}

// The first position from `at` on that is not white space (skip_spaces) or that is; text.size() if there is none.
inline std::size_t skip_spaces(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const std::size_t bytes = space_bytes(text, at);
    if (bytes == 0) break;
    at += bytes;
  }
  return at;
}

inline std::size_t find_space(std::string_view text, std::size_t at) {
  while (at < text.size() && space_bytes(text, at) == 0) ++at;
  return at;
}

}  // namespace bertprep::unicode
