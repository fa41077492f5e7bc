#include "base/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/fields.h"
#include "bertprep/base/error.h"

namespace bertprep {
namespace {

// The factor of a unit of bytes: K and KiB are 1024, KB is 1000. Nothing for other text.
std::optional<double> bytes_of_unit(std::string_view unit) {
  constexpr std::string_view kLetters = "kmgt";
  std::string small(unit);
  for (char& c : small) c = static_cast<char>(c | 0x20);
  if (small.empty() || small == "b") return 1;
  const std::size_t power = kLetters.find(small[0]);
  const std::string_view rest = std::string_view(small).substr(1);
  if (power == std::string_view::npos || (!rest.empty() && rest != "i" && rest != "ib" && rest != "b")) return {};
  return std::pow(rest == "b" ? 1000 : 1024, static_cast<double>(power + 1));
}

}  // namespace

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

std::string first_names(std::span<const std::string> names) {
  constexpr std::size_t kMost = 5;
  return joined(names.first(std::min(names.size(), kMost))) + (names.size() > kMost ? " ..." : "");
}

std::string padded_number(std::uint64_t value, std::size_t digits) {
  const std::string text = std::to_string(value);
  return std::string(digits - std::min(digits, text.size()), '0') + text;
}

std::vector<std::string_view> split(std::string_view text, char between) {
  std::vector<std::string_view> parts;
  for (std::size_t end; (end = text.find(between)) != std::string_view::npos; text.remove_prefix(end + 1)) {
    parts.push_back(text.substr(0, end));
  }
  parts.push_back(text);
  return parts;
}

double share_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string decimal(double value, int digits) {
  std::array<char, 400> buffer;  // for the largest double
  std::snprintf(buffer.data(), buffer.size(), "%.*f", digits, value);
  return buffer.data();
}

std::string rounded(double value, int most_digits) {
  std::string digits = decimal(value, most_digits);
  if (digits.find('.') != std::string::npos) digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.ends_with('.')) digits.pop_back();
  return digits;
}

std::string grouped(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

std::string counted(std::uint64_t value, std::string_view thing) {
  return grouped(value).append(" ").append(thing).append(value == 1 ? "" : "s");
}

std::string counted(std::uint64_t value, std::string_view thing, std::string_view of_one, std::string_view of_many) {
  return counted(value, thing).append(" ").append(value == 1 ? of_one : of_many);
}

std::string counted_of(std::uint64_t part, std::uint64_t whole, std::string_view thing, std::string_view of_one,
                       std::string_view of_many) {
  return grouped(part).append(" of ").append(counted(whole, thing)).append(" ").append(part == 1 ? of_one : of_many);
}

std::string roman_numeral(std::int64_t number) {
  constexpr std::pair<int, std::string_view> kNumerals[] = {
      {1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"},
      {40, "XL"},  {10, "X"},   {9, "IX"},  {5, "V"},    {4, "IV"},  {1, "I"}};
  std::string text;
  if (number > 3999) return text;
  for (const auto& [value, numeral] : kNumerals) {
    for (; number >= value; number -= value) text += numeral;
  }
  return text;
}

std::string count_text(std::uint64_t count) {
  return count == 0 ? "-" : grouped(count);
}

std::string bytes_text(std::uint64_t bytes) {
  static constexpr std::array kUnits = {"B", "kB", "MB", "GB", "TB", "PB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1000 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  return decimal(value, unit == 0 ? 0 : 1) + " " + kUnits[unit];
}

std::string duration_text(double seconds) {
  if (seconds < 60) return decimal(seconds, 1) + " s";
  const auto whole = static_cast<std::uint64_t>(std::lround(seconds));
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

std::string rounded_duration_text(double seconds) {
  return seconds < 59.5 ? decimal(seconds, 0) + " s" : duration_text(seconds);
}

std::string utc_text(std::time_t time, const char* form) {
  std::tm parts{};
  std::array<char, 64> text{};
  return {text.data(), std::strftime(text.data(), text.size(), form, gmtime_r(&time, &parts))};
}

std::optional<std::int64_t> count_in(std::string_view text) {
  if (const auto number = number_in<std::int64_t>(text)) return number;
  constexpr std::string_view kUnits = "kmg";
  if (text.empty()) return std::nullopt;
  const std::size_t unit = kUnits.find(static_cast<char>(text.back() | 0x20));
  const std::string_view digits = text.substr(0, text.size() - 1);
  const bool is_decimal = !digits.empty() && digits.find_first_not_of("0123456789.") == std::string_view::npos;
  const auto number = number_in<double>(digits);
  if (unit == std::string_view::npos || !is_decimal || !number) return std::nullopt;
  constexpr double kMax = 1e15;  // up to which a double is exact
  const double value = *number * std::pow(1000, static_cast<double>(unit + 1));
  const double whole = std::round(value);
  if (whole > kMax || std::fabs(value - whole) > 1e-6 * std::max(1.0, *number)) return std::nullopt;
  return static_cast<std::int64_t>(whole);
}

std::uint64_t size_in_bytes(std::string_view text, std::string_view option) {
  constexpr double kMax = 4e18;
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  // Text that is not a number, and negative numbers, don't begin with a digit.
  const bool is_number = error == std::errc{} && text[0] >= '0' && text[0] <= '9';
  const std::optional<double> unit =
      is_number ? bytes_of_unit(std::string_view(rest, static_cast<std::size_t>(end - rest))) : std::nullopt;
  const std::string given = quoted_field(option) + " '" + std::string(text) + "'";
  if (!unit) {
    throw ConfigError(given + " is not a valid size", {},
                      "write it like 500K, 300M, 1.5G or 4GiB, in powers of 1024, or like 4GB, in powers of 1000");
  }
  const double bytes = number * *unit;
  if (bytes < 1 || bytes > kMax) throw ConfigError(given + " is out of range, it must be between 1 and 3000000T");
  return static_cast<std::uint64_t>(bytes);
}

}  // namespace bertprep
