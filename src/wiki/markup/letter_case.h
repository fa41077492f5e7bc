// Letter case: of ASCII alone, for names in markup, and as Python's str methods change it (full mappings of Unicode
// 14). A door to ICU.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace bertprep {

// Of ASCII letters alone, to compare with names in lower case.
constexpr char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

constexpr bool equals_in_any_case(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return ascii_lower(a) == b; });
}

constexpr bool starts_in_any_case(std::string_view text, std::string_view lower) {
  return equals_in_any_case(text.substr(0, lower.size()), lower);
}

// All take UTF-8. The first letter's mapping may be several characters.
void append_lower(std::string_view text, std::string& out);
void append_upper(std::string_view text, std::string& out);
void append_lower_first(std::string_view text, std::string& out);
void append_upper_first(std::string_view text, std::string& out);

}  // namespace bertprep
