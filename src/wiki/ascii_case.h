// Comparison with names in lower case, whatever the case of ASCII letters in a text.
#pragma once

#include <algorithm>
#include <string_view>

namespace bertprep {

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

}  // namespace bertprep
