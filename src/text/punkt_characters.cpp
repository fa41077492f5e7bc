#include "text/punkt_characters.h"

#include <cstring>

namespace bertprep::punkt {
namespace {

constexpr std::uint64_t repeated(char c) {
  return 0x0101010101010101U * static_cast<unsigned char>(c);
}

// True when one of the eight bytes is `c`. (x - 1) & ~x has the top bit of the lowest zero byte of x set.
bool has_byte(std::uint64_t bytes, char c) {
  const std::uint64_t difference = bytes ^ repeated(c);
  return ((difference - repeated(1)) & ~difference & repeated('\x80')) != 0;
}

}  // namespace

std::size_t find_mark(std::string_view text, std::size_t at) {
  std::uint64_t bytes = 0;
  for (; at + sizeof bytes <= text.size(); at += sizeof bytes) {
    std::memcpy(&bytes, text.data() + at, sizeof bytes);
    if (static_cast<int>(has_byte(bytes, '.')) | static_cast<int>(has_byte(bytes, '?')) |
        static_cast<int>(has_byte(bytes, '!'))) {
      break;
    }
  }
  while (at < text.size() && !is_a(kMark, text[at])) ++at;
  return at;
}

std::size_t wide_space_bytes(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t offset) {
    return at + offset < text.size() ? static_cast<unsigned char>(text[at + offset]) : 0U;
  };
  switch (byte(0)) {
    case 0xC2:  // U+0085, U+00A0
      return byte(1) == 0x85 || byte(1) == 0xA0 ? 2 : 0;
    case 0xE1:  // U+1680
      return byte(1) == 0x9A && byte(2) == 0x80 ? 3 : 0;
    case 0xE2:  // U+2000 to U+200A, U+2028, U+2029, U+202F; U+205F
      if (byte(1) == 0x81) return byte(2) == 0x9F ? 3 : 0;
      if (byte(1) != 0x80) return 0;
      return (byte(2) >= 0x80 && byte(2) <= 0x8A) || byte(2) == 0xA8 || byte(2) == 0xA9 || byte(2) == 0xAF ? 3 : 0;
    case 0xE3:  // U+3000
      return byte(1) == 0x80 && byte(2) == 0x80 ? 3 : 0;
    default:
      return 0;
  }
}

}  // namespace bertprep::punkt
