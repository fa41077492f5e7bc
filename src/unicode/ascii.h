// ASCII characters, whose case and category don't depend on the language.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace bertprep {

constexpr bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}
constexpr bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return is_ascii(c); });
}
constexpr bool is_ascii_digit(char c) {
  return c >= '0' && c <= '9';
}
// Whether `text` has only digits, and at least one.
constexpr bool is_ascii_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return is_ascii_digit(c); });
}
inline constexpr std::string_view kAsciiBlanks = " \t\r\n";
constexpr bool is_ascii_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
// Without blanks at both ends.
constexpr std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kAsciiBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kAsciiBlanks) + 1);
}
// Whether the line is empty or all white space.
constexpr bool is_ascii_blank(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return is_ascii_blank(c); });
}
constexpr bool is_ascii_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
constexpr bool is_ascii_letter(char c) {
  return is_ascii_upper(c) || (c >= 'a' && c <= 'z');
}
constexpr bool is_ascii_alphanumeric(char c) {
  return is_ascii_letter(c) || is_ascii_digit(c);
}

// For comparing ASCII letters with lower-case names.
constexpr char ascii_lower(char c) {
  return is_ascii_upper(c) ? static_cast<char>(c + ('a' - 'A')) : c;
}
inline std::string ascii_lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return ascii_lower(c); });
  return lower;
}

constexpr bool equals_in_any_case(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return ascii_lower(a) == b; });
}
constexpr bool starts_in_any_case(std::string_view text, std::string_view lower) {
  return equals_in_any_case(text.substr(0, lower.size()), lower);
}
constexpr bool ends_in_any_case(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() && equals_in_any_case(text.substr(text.size() - lower.size()), lower);
}

}  // namespace bertprep
