// Decodes and encodes UTF-8: single code points of text known to be valid or of any bytes, whole texts, and ranges of
// characters. White space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bertprep::unicode {

inline constexpr char32_t kReplacement = 0xFFFD;

// The mark that some programs put in front of UTF-8 (U+FEFF).
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

inline std::string_view without_byte_order_mark(std::string_view text) {
  return text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
}

// The code point that starts at `*at`; moves `at` after it. The bytes must be valid UTF-8.
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

constexpr bool is_continuation_byte(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

// The code point that ends right before `*at`; moves `at` to its first byte. The bytes must be valid UTF-8.
inline char32_t previous_code_point(const char*& at) {
  do --at;
  while (is_continuation_byte(*at));
  const char* start = at;
  return next_code_point(start);
}

// A character of arbitrary bytes, and its length in bytes. Each byte that is not valid UTF-8 counts as one U+FFFD.
struct CodePoint {
  char32_t value;
  std::size_t bytes;
};
// At `index` < text.size().
CodePoint code_point_at(std::string_view text, std::size_t index);
// The character that ends at `end` > 0.
CodePoint code_point_before(std::string_view text, std::size_t end);

void append_utf8(char32_t c, std::string& out);

// `text` must be valid UTF-8.
std::u32string decode(std::string_view text);
std::string encode(std::u32string_view text);

std::int64_t character_count(std::string_view text);
// Up to `count` characters from character `first` (from 0) on.
std::string_view character_range(std::string_view text, std::int64_t first, std::int64_t count);

// White space as Python's str.isspace() has it: 29 code points.
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
