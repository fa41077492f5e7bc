// Searches for bytes, 16 at a time: most of a text is prose that a stage leaves unchanged.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "unicode/byte_block.h"

namespace bertprep {

// The first position from `from` on where `asks(here, next)` answers yes, or npos. `next` is `here` shifted by one
// byte. The text is padded with NULs, where no position is found.
template <typename Question>
std::size_t find_bytes(std::string_view text, std::size_t from, Question asks) {
  const auto place = [&](const char* bytes) {
    return asks(ByteBlock::load(bytes), ByteBlock::load(bytes + 1)).answers();
  };
  const auto first = [](std::uint64_t answers) {
    return static_cast<unsigned>(std::countr_zero(answers)) / ByteBlock::kAnswerBits;
  };
  for (; from + ByteBlock::kBytes < text.size(); from += ByteBlock::kBytes) {
    const std::uint64_t answers = place(text.data() + from);
    if (answers != 0) return from + first(answers);
  }
  if (from >= text.size()) return std::string_view::npos;
  std::array<char, 2 * ByteBlock::kBytes + 1> rest{};
  std::memcpy(rest.data(), text.data() + from, text.size() - from);
  const std::uint64_t answers = place(rest.data());
  if (answers == 0 || first(answers) >= text.size() - from) return std::string_view::npos;
  return from + first(answers);
}

// text.find() for one byte, and the like for two in a row (neither of them NUL).
inline std::size_t find_byte(std::string_view text, char c, std::size_t from = 0) {
  return text.find(c, from);
}
inline std::size_t find_pair(std::string_view text, char first, char second, std::size_t from = 0) {
  return find_bytes(text, from, [=](ByteBlock here, ByteBlock next) { return (here == first) & (next == second); });
}

// text.find_first_of() for few bytes.
template <char... kBytes>
std::size_t find_any(std::string_view text, std::size_t from = 0) {
  return find_bytes(text, from, [](ByteBlock here, ByteBlock) { return (... | (here == kBytes)); });
}

}  // namespace bertprep
