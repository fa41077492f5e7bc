#include "unicode/white_space.h"

#include "unicode/utf8_text.h"

namespace bertprep {

namespace unicode {

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

namespace {

std::size_t space_bytes_at_end(std::string_view text) {
  const std::size_t size = text.size();
  if (static_cast<unsigned char>(text.back()) < 0x80) return space_bytes(text, size - 1);
  if (size >= 2 && space_bytes(text, size - 2) == 2) return 2;
  if (size >= 3 && space_bytes(text, size - 3) == 3) return 3;
  return 0;
}

}  // namespace
}  // namespace unicode

std::string_view strip_end(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = unicode::space_bytes_at_end(text);
    if (bytes == 0) break;
    text.remove_suffix(bytes);
  }
  return text;
}

std::string_view strip(std::string_view text) {
  text.remove_prefix(unicode::skip_spaces(text, 0));
  return strip_end(text);
}

}  // namespace bertprep
