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

}  // namespace bertprep::punkt
