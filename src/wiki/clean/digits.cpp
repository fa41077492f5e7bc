#include "wiki/clean/digits.h"

#include <algorithm>
#include <charconv>

#include "wiki/clean/markup/chars.h"

namespace bertprep::clean {
namespace {

std::size_t count_digits(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), [](char byte) { return is_ascii_digit(byte); });
  return static_cast<std::size_t>(end - text.begin());
}

// The length of a sign before the digits.
std::size_t sign_length(std::string_view number) {
  for (const std::string_view sign : {"-", "+", "−", "±"}) {
    if (number.starts_with(sign)) return sign.size();
  }
  return 0;
}

}  // namespace

std::optional<int> whole_number(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string group_digits(std::string_view number, const NumberSigns& signs) {
  const std::size_t digits = count_digits(number);
  if (digits < signs.least) return std::string(number);
  std::string grouped;
  for (std::size_t i = 0; i < digits; ++i) {
    if (i > 0 && (digits - i) % 3 == 0) grouped.append(signs.group);
    grouped.push_back(number[i]);
  }
  return grouped.append(number.substr(digits));
}

std::string localized_number(std::string_view number, const NumberSigns* signs) {
  if (signs == nullptr) return std::string(number);
  const std::size_t begin = sign_length(number);
  const std::size_t digits = count_digits(number.substr(begin));
  const std::string_view rest = number.substr(begin + digits);
  const bool is_integer = rest.empty();
  // "1,234" is a fraction only if the comma is the decimal point.
  const bool begins_fraction = rest.starts_with('.') || (rest.starts_with(',') && signs->point == ",");
  const bool has_point = rest.size() > 1 && begins_fraction && count_digits(rest.substr(1)) + 1 == rest.size();
  if (digits == 0 || !(is_integer || has_point)) return std::string(number);
  std::string text(number.substr(0, begin));
  text.append(group_digits(number.substr(begin, digits), *signs));
  if (has_point) text.append(signs->point).append(rest.substr(1));
  return text;
}

std::string localized_text(std::string_view text, const NumberSigns* signs) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t blank = std::min(text.find(' ', at), text.size());
    result.append(localized_number(text.substr(at, blank - at), signs));
    if (blank < text.size()) result.push_back(' ');
    at = blank + 1;
  }
  return result;
}

std::string localized_groups(std::string_view number, const NumberSigns& signs) {
  std::string plain(number);
  replace_all(plain, ",", "");
  std::string text;
  for (std::size_t at = 0; at < plain.size();) {
    const std::string_view rest = std::string_view(plain).substr(at);
    const std::size_t digits = count_digits(rest);
    if (digits == 0) {
      text.push_back(plain[at++]);
      continue;
    }
    text.append(group_digits(rest.substr(0, digits), signs));
    at += digits;
    const bool has_point = at + 1 < plain.size() && plain[at] == '.' && is_ascii_digit(plain[at + 1]);
    if (!has_point) continue;
    const std::size_t places = count_digits(std::string_view(plain).substr(at + 1));
    text.append(signs.point).append(plain, at + 1, places);
    at += 1 + places;
  }
  return text;
}

}  // namespace bertprep::clean
