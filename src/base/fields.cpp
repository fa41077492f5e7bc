#include "base/fields.h"

#include <algorithm>
#include <cmath>

namespace bertprep {
namespace {

std::string bound(double value) {
  const bool is_integer = value == std::floor(value) && std::fabs(value) < 1e15;
  return is_integer ? std::to_string(static_cast<long long>(value)) : shortest_decimal(value);
}

template <class Number>
Number parse_number(std::string_view name, std::string_view text, const char* expected) {
  if (const auto number = number_in<Number>(text)) return *number;
  throw ConfigError(quoted_field(name) + ": '" + std::string(text) + "' is not " + expected);
}

}  // namespace

std::string quoted_field(std::string_view name) {
  std::string field = "`" + std::string(name) + "`";
  std::ranges::replace(field, '-', '_');
  return field;
}

std::string range_rule(double min, double max) {
  if (std::isinf(min)) return std::isinf(max) ? "" : "it must be at most " + bound(max);
  if (std::isinf(max)) return "it must be at least " + bound(min);
  return "it must be between " + bound(min) + " and " + bound(max);
}

void check_range(std::string_view name, double value, double min, double max) {
  if (value >= min && value <= max) return;
  throw ConfigError(quoted_field(name) + " is " + bound(value) + ", " + range_rule(min, max));
}

void check_choice(std::string_view name, std::string_view value, std::string_view choices) {
  if (!choices.empty()) choice_index(name, value, choices);
}

std::size_t choice_index(std::string_view name, std::string_view value, std::string_view choices) {
  const std::vector<std::string_view> all = split(choices, '|');
  const auto found = std::ranges::find(all, value);
  if (found != all.end()) return static_cast<std::size_t>(found - all.begin());
  throw ConfigError(quoted_field(name) + " is '" + std::string(value) + "', it must be one of " + std::string(choices));
}

std::string_view choice_name(std::string_view name, std::size_t index, std::string_view choices) {
  const std::vector<std::string_view> all = split(choices, '|');
  if (index < all.size()) return all[index];
  throw ConfigError(quoted_field(name) + " is choice " + std::to_string(index) + " of " + std::string(choices));
}

std::int64_t parse_integer(std::string_view name, std::string_view text) {
  return parse_number<std::int64_t>(name, text, "a whole number");
}

std::int64_t parse_count(std::string_view name, std::string_view text, double min, double max) {
  if (const auto number = count_in(text)) return *number;
  const std::string rule = range_rule(min, max);
  throw ConfigError(
      quoted_field(name) + ": '" + std::string(text) + "' is not a whole number" + (rule.empty() ? "" : ", " + rule),
      {}, "write it like 30000, 30k or 1.5M");
}

double parse_real(std::string_view name, std::string_view text) {
  return parse_number<double>(name, text, "a number");
}

bool parse_switch(std::string_view name, std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  throw ConfigError(quoted_field(name) + ": '" + std::string(text) + "' is neither true nor false");
}

}  // namespace bertprep
