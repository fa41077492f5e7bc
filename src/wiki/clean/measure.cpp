#include "wiki/clean/measure.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <utility>

#include "wiki/clean/digits.h"
#include "wiki/clean/markup/chars.h"

namespace bertprep::clean {
namespace {

constexpr std::size_t kLongestNumber = 40;
constexpr int kMaxPlaces = 9;
constexpr double kFudge = 1e-14;   // for logarithms of powers of ten
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
  const auto below = plain_number(text.substr(text.rfind('/') + 1));
  Measure measure{*whole + *part, std::max(std::log10(below.value_or(1)), 1.0), {}};
  if (sign != std::string_view::npos) measure.shown = std::string(text.substr(0, sign)) + " ";
  std::string tail(sign == std::string_view::npos ? text : text.substr(sign + 1));
  replace_all(tail, "//", "/");
  measure.shown += tail;
  return measure;
}

bool is_scale(const Unit& unit) {
  return unit.quantity == Quantity::kTemperature && !unit.code.ends_with("-change");
}

// By how many decimals a result is more precise than the given number.
double added_places(const Given& given, double result, const ScaledUnit& to) {
  const bool is_integer = std::floor(given.value) == given.value;
  const bool counts_from_size = to.unit->code == "ft" || to.unit->code == "lb";
  if (counts_from_size && is_integer) return -std::log10(given.unit.unit->size) - given.unit.power;
  if (given.ends_in_inches) return std::log10(to.unit->size) + to.power + 2;
  return std::log10(std::fabs(given.value / result));
}

constexpr std::array<std::string_view, 20> kSmall = {
    "zero", "one",    "two",    "three",    "four",     "five",    "six",     "seven",     "eight",    "nine",
    "ten",  "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
constexpr std::array<std::string_view, 10> kTens = {"",      "",      "twenty",  "thirty", "forty",
                                                    "fifty", "sixty", "seventy", "eighty", "ninety"};

std::string spelled_below_hundred(std::uint64_t number) {
  if (number < kSmall.size()) return std::string(kSmall[number]);
  const std::string tens(kTens[number / 10]);
  return number % 10 == 0 ? tens : tens + "-" + std::string(kSmall[number % 10]);
}

std::string spelled_whole(std::uint64_t number, bool american) {
  if (number < 100) return spelled_below_hundred(number);
  constexpr std::array<std::pair<std::uint64_t, std::string_view>, 3> kSteps = {
      {{1000000, " million"}, {1000, " thousand"}, {100, " hundred"}}};
  const auto step = std::find_if(kSteps.begin(), kSteps.end(), [&](const auto& s) { return number >= s.first; });
  const std::uint64_t rest = number % step->first;
  const std::string head = spelled_whole(number / step->first, american) + std::string(step->second);
  if (rest == 0) return head;
  return head + (rest < 100 && !american ? " and " : " ") + spelled_whole(rest, american);
}

}  // namespace

std::optional<Measure> read_measure(std::string_view text) {
  std::string digits(trim(text));
  if (digits.size() > kLongestNumber) return std::nullopt;
  replace_all(digits, ",", "");
  replace_all(digits, "−", "-");
  const bool is_negative = digits.starts_with('-');
  if (is_negative || digits.starts_with('+')) digits.erase(0, 1);
  if (digits.empty() || !(is_ascii_digit(digits[0]) || digits[0] == '.')) return std::nullopt;
  std::optional<Measure> measure;
  if (digits.find('/') != std::string::npos) {
    measure = mixed_number(digits);
  } else if (const auto value = plain_number(digits)) {
    const std::size_t exponent = digits.find_first_of("eE");
    const int places = places_of(std::string_view(digits).substr(0, exponent));
    measure = Measure{*value, static_cast<double>(places), group_digits(digits)};
    if (exponent != std::string::npos) {
      const std::string power = digits.substr(exponent + 1);
      measure->precision -= plain_number(power.starts_with('+') ? power.substr(1) : power).value_or(0);
      measure->shown = digits.substr(0, exponent) + "×10^" + power;
    }
  }
  if (measure && is_negative) {
    measure->value = -measure->value;
    measure->shown.insert(0, "−");
  }
  return measure;
}

double converted(const Given& given, const ScaledUnit& to) {
  return to.value_of(given.unit.base_of(given.value));
}

int places_for_digits(double value, int digits) {
  if (value == 0) return 0;
  return digits - 1 - static_cast<int>(std::floor(std::log10(std::fabs(value)) + kFudge));
}

int fitting_places(const Given& given, double result, const ScaledUnit& to) {
  if (is_scale(*given.unit.unit) && is_scale(*to.unit)) {
    const double kelvin = std::fabs(given.unit.base_of(given.value));
    const int least = kelvin < 1e-8 ? 2 : places_for_digits(kelvin, 3);
    return std::max(static_cast<int>(std::floor(given.precision)), least);
  }
  if (given.value == 0 || result == 0) return 0;
  const double places = given.precision + added_places(given, result, to) + std::log10(2.0);
  return std::clamp(std::max(static_cast<int>(std::floor(places)), places_for_digits(result, 2)), -12, kMaxPlaces);
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
                                 std::chars_format::fixed, std::clamp(places, 0, kMaxPlaces));
  const std::string_view text(digits.data(), static_cast<std::size_t>(end.ptr - digits.data()));
  const bool is_zero = text.find_first_not_of("0.") == std::string_view::npos;
  return (value < 0 && !is_zero ? "−" : "") + group_digits(text);
}

std::string spelled_number(double value, bool american) {
  if (value < 0 || value >= 1e9 || std::floor(value) != value) return {};
  return spelled_whole(static_cast<std::uint64_t>(value), american);
}

}  // namespace bertprep::clean
