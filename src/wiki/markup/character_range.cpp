#include "wiki/markup/character_range.h"

#include <algorithm>
#include <cstddef>

namespace bertprep {
namespace {

bool begins_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

// The byte at which character `index` after `from` begins.
std::size_t byte_of(std::string_view text, std::size_t from, std::int64_t index) {
  for (std::size_t at = from; at < text.size(); ++at) {
    if (begins_character(text[at]) && index-- == 0) return at;
  }
  return text.size();
}

}  // namespace

std::int64_t character_count(std::string_view text) {
  return std::count_if(text.begin(), text.end(), begins_character);
}

std::string_view character_range(std::string_view text, std::int64_t first, std::int64_t count) {
  const std::size_t begin = byte_of(text, 0, first);
  return text.substr(begin, byte_of(text, begin, count) - begin);
}

}  // namespace bertprep
