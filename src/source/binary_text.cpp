#include "source/binary_text.h"

#include <cstddef>

namespace bertprep {
namespace {

constexpr std::size_t kCharactersToAControl = 100;

// White space, the end of a file in DOS, and the escapes of terminals are in texts.
bool is_odd_control(unsigned char c) {
  const bool is_usual = (c >= '\t' && c <= '\r') || c == 0x1A || c == 0x1B;
  return (c < ' ' && !is_usual) || c == 0x7F;
}

}  // namespace

std::optional<std::string> why_no_text(std::string_view text) {
  std::size_t characters = 0;
  std::size_t controls = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if ((c & 0xC0U) != 0x80) ++characters;
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
    const bool is_c1 = c == 0xC2 && next >= 0x80 && next < 0xA0 && next != 0x85;
    if (is_c1 || is_odd_control(c)) ++controls;
  }
  if (controls * kCharactersToAControl <= characters) return std::nullopt;
  return "this is no text: " + std::to_string(controls) + " of its " + std::to_string(characters) +
         " characters are control characters";
}

}  // namespace bertprep
