#include "io/strip.h"

#include <cstddef>

namespace bertprep {
namespace {

constexpr bool is_ascii_space(unsigned char byte) {
  return (byte >= 0x09 && byte <= 0x0D) || (byte >= 0x1C && byte <= 0x20);
}

// U+0085 and U+00A0.
constexpr bool is_two_byte_space(unsigned char first, unsigned char second) {
  return first == 0xC2 && (second == 0x85 || second == 0xA0);
}

// U+1680, U+2000-200A, U+2028, U+2029, U+202F, U+205F and U+3000.
constexpr bool is_three_byte_space(unsigned char first, unsigned char second, unsigned char third) {
  if (first == 0xE1) return second == 0x9A && third == 0x80;
  if (first == 0xE3) return second == 0x80 && third == 0x80;
  if (first != 0xE2) return false;
  if (second == 0x81) return third == 0x9F;
  return second == 0x80 && ((third >= 0x80 && third <= 0x8A) || third == 0xA8 || third == 0xA9 || third == 0xAF);
}

unsigned char byte_at(std::string_view text, std::size_t index) {
  return static_cast<unsigned char>(text[index]);
}

// Bytes of the white space character that starts at `index`, 0 when there is none.
std::size_t space_bytes(std::string_view text, std::size_t index) {
  const std::size_t left = text.size() - index;
  if (is_ascii_space(byte_at(text, index))) return 1;
  if (left >= 2 && is_two_byte_space(byte_at(text, index), byte_at(text, index + 1))) return 2;
  if (left >= 3 && is_three_byte_space(byte_at(text, index), byte_at(text, index + 1), byte_at(text, index + 2))) {
    return 3;
  }
  return 0;
}

std::size_t space_bytes_at_end(std::string_view text) {
  const std::size_t size = text.size();
  if (byte_at(text, size - 1) < 0x80) return space_bytes(text, size - 1);
  if (size >= 2 && space_bytes(text, size - 2) == 2) return 2;
  if (size >= 3 && space_bytes(text, size - 3) == 3) return 3;
  return 0;
}

}  // namespace

std::string_view strip_end(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = space_bytes_at_end(text);
    if (bytes == 0) break;
    text.remove_suffix(bytes);
  }
  return text;
}

std::string_view strip(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = space_bytes(text, 0);
    if (bytes == 0) break;
    text.remove_prefix(bytes);
  }
  return strip_end(text);
}

}  // namespace bertprep
