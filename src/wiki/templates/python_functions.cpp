#include "wiki/templates/python_functions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>

namespace bertprep {
namespace {

using Arguments = PythonArguments;
constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();

// A function of the C library, which sets no result for an argument outside of its domain or a result that overflows.
template <double (*kFunction)(double)>
MaybeNumber real(Arguments a) {
  const double x = a[0].real();
  const double result = kFunction(x);
  if (std::isfinite(x) ? !std::isfinite(result) : std::isnan(result) && !std::isnan(x)) return std::nullopt;
  return PythonNumber::of_float(result);
}

template <double (*kFunction)(double)>
MaybeNumber to_whole(Arguments a) {
  return a[0].is_float() ? PythonNumber::of_integral(kFunction(a[0].real())) : a[0].as_int();
}

// The first of those that are equal, as Python returns.
template <bool kIsMore>
MaybeNumber extreme(Arguments a) {
  PythonNumber best = a[0];
  for (const PythonNumber& next : a.subspan(1)) {
    if (kIsMore ? less(best, next) : less(next, best)) best = next;
  }
  return best;
}

MaybeNumber number_in(std::string_view digits) {
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc()) return std::nullopt;
  return PythonNumber::of_float(value);
}

// Beyond these, rounding changes nothing or leaves nothing (CPython's float.__round__).
constexpr std::int64_t kMostDigits = 323;
constexpr std::int64_t kFewestDigits = -308;
constexpr std::size_t kLongestNumber = 700;

// A real number of at least one digit before its point, rounded to a power of ten.
MaybeNumber round_to_power(double x, std::int64_t power) {
  std::array<char, kLongestNumber> text{};
  const double size = std::fabs(x);
  const auto whole = std::to_chars(text.begin(), text.end(), std::trunc(size), std::chars_format::fixed, 0);
  const std::int64_t kept = size < 1 ? -1 : whole.ptr - text.begin() - power;
  if (kept < 0) return PythonNumber::of_float(std::copysign(0.0, x));
  if (kept == 0) {
    const MaybeNumber half = number_in("5e" + std::to_string(power - 1));
    if (size <= half->real()) return PythonNumber::of_float(std::copysign(0.0, x));
    return number_in((x < 0 ? "-1e" : "1e") + std::to_string(power));
  }
  const auto end =
      std::to_chars(text.begin(), text.end(), x, std::chars_format::scientific, static_cast<int>(kept - 1));
  return number_in({text.data(), static_cast<std::size_t>(end.ptr - text.begin())});
}

MaybeNumber round_real(double x, std::int64_t digits) {
  if (!std::isfinite(x) || digits > kMostDigits) return PythonNumber::of_float(x);
  if (digits < kFewestDigits) return PythonNumber::of_float(std::copysign(0.0, x));
  if (digits < 0) return round_to_power(x, -digits);
  std::array<char, kLongestNumber> text{};
  const auto end = std::to_chars(text.begin(), text.end(), x, std::chars_format::fixed, static_cast<int>(digits));
  return number_in({text.data(), static_cast<std::size_t>(end.ptr - text.begin())});
}

// To a multiple of a power of ten, ties to the even multiple.
MaybeNumber round_int(std::int64_t value, std::int64_t digits) {
  constexpr std::int64_t kDigits = std::numeric_limits<std::int64_t>::digits10;
  if (digits >= 0) return PythonNumber::of_int(value);
  if (digits < -kDigits - 1) return PythonNumber::of_int(0);
  __extension__ using Wide = __int128;
  Wide unit = 1;
  for (std::int64_t i = digits; i < 0; ++i) unit *= 10;
  const Wide rest = ((value % unit) + unit) % unit;
  const Wide below = value - rest;
  const bool is_up = rest * 2 > unit || (rest * 2 == unit && (below / unit) % 2 != 0);
  const Wide result = is_up ? below + unit : below;
  if (result != static_cast<std::int64_t>(result)) return std::nullopt;
  return PythonNumber::of_int(static_cast<std::int64_t>(result));
}

MaybeNumber round_to(Arguments a) {
  if (a.size() == 1) return to_whole<std::nearbyint>(a);  // ties to even
  if (a[1].is_float() || a[1].is_big() || a[0].is_big()) return std::nullopt;
  return a[0].is_float() ? round_real(a[0].real(), a[1].whole()) : round_int(a[0].whole(), a[1].whole());
}

// pow(base, exponent, divisor), whose result has the sign of the divisor.
MaybeNumber power_modulo(Arguments a) {
  const bool is_whole = std::ranges::none_of(a, [](PythonNumber n) { return n.is_float() || n.is_big(); });
  if (!is_whole || a[1].whole() < 0 || a[2].whole() == 0) return std::nullopt;
  __extension__ using Wide = __int128;
  const Wide divisor = a[2].whole();
  Wide base = a[0].whole() % divisor, result = 1 % divisor;
  for (std::int64_t exponent = a[1].whole(); exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = result * base % divisor;
    base = base * base % divisor;
  }
  if (result != 0 && (result < 0) != (divisor < 0)) result += divisor;
  return PythonNumber::of_int(static_cast<std::int64_t>(result));
}

constexpr std::array<PythonFunction, 18> kPythonFunctions{{
    {"abs", 1, 1, [](Arguments a) { return absolute(a[0]); }},
    {"acos", 1, 1, real<std::acos>},
    {"asin", 1, 1, real<std::asin>},
    {"atan", 1, 1, real<std::atan>},
    {"ceil", 1, 1, to_whole<std::ceil>},
    {"cos", 1, 1, real<std::cos>},
    {"exp", 1, 1, real<std::exp>},
    {"float", 0, 1, [](Arguments a) -> MaybeNumber { return PythonNumber::of_float(a.empty() ? 0 : a[0].real()); }},
    {"floor", 1, 1, to_whole<std::floor>},
    {"int", 0, 1, [](Arguments a) { return a.empty() ? PythonNumber::of_int(0) : to_whole<std::trunc>(a); }},
    {"ln", 1, 1, real<std::log>},
    {"max", 2, kAny, extreme<true>},
    {"min", 2, kAny, extreme<false>},
    {"pow", 2, 3, [](Arguments a) { return a.size() == 2 ? power(a[0], a[1]) : power_modulo(a); }},
    {"round", 1, 2, round_to},
    {"sin", 1, 1, real<std::sin>},
    {"tan", 1, 1, real<std::tan>},
    {"trunc", 1, 1, to_whole<std::trunc>},
}};

}  // namespace

const PythonFunction* find_python_function(std::string_view name) {
  const auto* const found = std::ranges::find(kPythonFunctions, name, &PythonFunction::name);
  return found == kPythonFunctions.end() ? nullptr : found;
}

MaybeNumber python_constant(std::string_view name) {
  if (name == "pi") return PythonNumber::of_float(std::numbers::pi);
  if (name == "e") return PythonNumber::of_float(std::numbers::e);
  return std::nullopt;
}

}  // namespace bertprep
