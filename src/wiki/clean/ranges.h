// The words between two numbers: {{convert|10|to|20|km}}.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bertprep::clean {

class LanguageTable;

// Whether the byte begins a Chinese or Japanese character, which no blank parts from a number.
constexpr bool is_wide(char first) {
  return static_cast<unsigned char>(first) >= 0xE3 && static_cast<unsigned char>(first) <= 0xE9;
}

// Whether `text` ends with such a character.
constexpr bool ends_wide(std::string_view text) {
  return text.size() >= 3 && is_wide(text[text.size() - 3]) && (text.back() & 0xC0) == 0x80;
}

// What the template's word becomes, blanks included: " to ", "–", in symbols " × ", in names " by ". In the words of
// `table` unless it is null. Nothing: no such word.
std::optional<std::string> range_text(std::string_view word, bool is_short, const LanguageTable* table);

}  // namespace bertprep::clean
