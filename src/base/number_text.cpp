#include "bertprep/base/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "bertprep/base/error.h"

namespace bertprep {

std::string shortest_decimal(double value) {
  // Python switches to an exponent below 1e-4 and from 1e16 on.
  const double magnitude = std::fabs(value);
  const bool scientific = magnitude != 0 && (magnitude < 1e-4 || magnitude >= 1e16);
  std::array<char, 64> buffer;
  const auto format = scientific ? std::chars_format::scientific : std::chars_format::fixed;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format);
  std::string text(buffer.data(), end);
  if (!scientific && std::isfinite(value) && text.find('.') == std::string::npos) text += ".0";
  return text;
}

std::string canonical_integer(std::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  std::string_view digits = text;
  if (!digits.empty() && (digits[0] == '-' || digits[0] == '+')) digits.remove_prefix(1);
  const bool decimal =
      !digits.empty() && std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!decimal) throw ConfigError("'" + std::string(text) + "' is not a whole number");
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size() - 1));
  std::string canonical = negative && digits != "0" ? "-" : "";
  canonical += digits;
  return canonical;
}

}  // namespace bertprep
