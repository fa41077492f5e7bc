#include "wiki/clean/measure.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "wiki/clean/chars.h"
#include "wiki/clean/functions.h"

namespace bertprep::clean {
namespace {

constexpr std::size_t kLongestNumber = 40;
constexpr int kMostPlaces = 9;
constexpr double kLargest = 1e15;  // beyond which digits say nothing

std::optional<double> plain_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// "1/2"
std::optional<double> fraction(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::size_t below_begin = text.find_first_not_of('/', slash);
  if (below_begin == std::string_view::npos) return std::nullopt;
  const auto above = plain_number(text.substr(0, slash));
  const auto below = plain_number(text.substr(below_begin));
  if (!above || !below || *below == 0) return std::nullopt;
  return *above / *below;
}

int places_of(std::string_view digits) {
  const std::size_t point = digits.find('.');
  if (point != std::string_view::npos) return static_cast<int>(digits.size() - point - 1);
  int zeros = 0;
  while (zeros + 1 < static_cast<int>(digits.size()) &&
         digits[digits.size() - 1 - static_cast<std::size_t>(zeros)] == '0') {
    ++zeros;
  }
  return -zeros;
}

// "2+1/2" and "2-1/2" are mixed numbers.
std::optional<Measure> mixed_number(std::string_view text) {
  const std::size_t sign = text.find_first_of("+- ", 1);
  const auto whole = sign == std::string_view::npos ? std::optional<double>(0) : plain_number(text.substr(0, sign));
  const auto part = fraction(sign == std::string_view::npos ? text : text.substr(sign + 1));
  if (!whole || !part) return std::nullopt;
  Measure measure{*whole + *part, 1, {}};
  if (sign != std::string_view::npos) measure.shown = std::string(text.substr(0, sign)) + " ";
  std::string tail(sign == std::string_view::npos ? text : text.substr(sign + 1));
  replace_all(tail, "//", "/");
  measure.shown += tail;
  return measure;
}

}  // namespace

std::optional<Measure> read_measure(std::string_view text) {
  std::string digits(trim(text));
  if (digits.size() > kLongestNumber) return std::nullopt;
  replace_all(digits, ",", "");
  replace_all(digits, "−", "-");
  const bool is_negative = digits.starts_with('-');
  if (is_negative || digits.starts_with('+')) digits.erase(0, 1);
  if (digits.empty() || !(is_digit(digits[0]) || digits[0] == '.')) return std::nullopt;
  std::optional<Measure> measure;
  if (digits.find('/') != std::string::npos) {
    measure = mixed_number(digits);
  } else if (const auto value = plain_number(digits)) {
    const std::size_t exponent = digits.find_first_of("eE");
    measure = Measure{*value, places_of(std::string_view(digits).substr(0, exponent)), group_digits(digits, "en")};
    if (exponent != std::string::npos) measure->places -= static_cast<int>(std::log10(*value > 0 ? *value : 1));
    if (exponent != std::string::npos)
      measure->shown = digits.substr(0, exponent) + "×10^" + digits.substr(exponent + 1);
  }
  if (measure && is_negative) {
    measure->value = -measure->value;
    measure->shown.insert(0, "−");
  }
  return measure;
}

double converted(double value, const Unit& from, const Unit& to) {
  return (value * from.size + from.zero - to.zero) / to.size;
}

int fitting_places(const Measure& given, double result, const Unit& from, const Unit& to) {
  if (from.quantity == Quantity::kTemperature && from.zero != to.zero) {
    const bool is_rough = std::fabs(given.value) >= 1000 && given.places < -1;
    return is_rough ? -1 : std::max(given.places, 0);
  }
  int places = given.places - static_cast<int>(std::floor(std::log10(from.size / to.size) + 0.02));
  if (result != 0) {
    const int first_digit = static_cast<int>(std::floor(std::log10(std::fabs(result))));
    places = std::max(places, 1 - first_digit);
  }
  return std::clamp(places, -12, kMostPlaces);
}

std::string written_number(double value, int places) {
  if (!std::isfinite(value) || std::fabs(value) > kLargest) {
    std::array<char, 32> digits{};
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::scientific, 2);
    std::string text(digits.data(), end.ptr);
    replace_all(text, "e+", "×10^");
    return text;
  }
  if (places < 0) {
    const double step = std::pow(10.0, -places);
    value = std::round(value / step) * step;
  }
  std::array<char, 64> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), std::fabs(value),
                                 std::chars_format::fixed, std::clamp(places, 0, kMostPlaces));
  const std::string_view text(digits.data(), static_cast<std::size_t>(end.ptr - digits.data()));
  const bool is_zero = text.find_first_not_of("0.") == std::string_view::npos;
  return (value < 0 && !is_zero ? "−" : "") + group_digits(text, "en");
}

}  // namespace bertprep::clean
