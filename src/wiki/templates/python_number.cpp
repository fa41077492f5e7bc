#include "wiki/templates/python_number.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>

#include "base/number_text.h"
#include "unicode/code_points.h"
#include "unicode/properties/properties.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr std::size_t kMaxDigits = 4300;

// The digits of an integer without its sign, in ASCII and without leading zeros.
std::optional<std::string> plain_digits(std::string_view text) {
  std::string digits;
  bool after_digit = false;
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size();) {
    const unicode::CodePoint c = unicode::code_point_at(text, at);
    at += c.bytes;
    if (c.value == '_' && after_digit) {
      after_digit = false;
      continue;
    }
    const int value = unicode::decimal_digit(c.value);
    if (value < 0) return std::nullopt;
    after_digit = true;
    ++count;
    if (value != 0 || !digits.empty()) digits += static_cast<char>('0' + value);
  }
  if (!after_digit || count > kMaxDigits) return std::nullopt;
  return digits.empty() ? "0" : digits;
}

__extension__ using Unsigned128 = unsigned __int128;

bool any_float(PythonNumber a, PythonNumber b) {
  return a.is_float() || b.is_float();
}

bool any_big(PythonNumber a, PythonNumber b) {
  return a.is_big() || b.is_big();
}

std::uint64_t magnitude(std::int64_t value) {
  return value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

// Both parts of a division of reals, as by Python's divmod().
struct FloatDivision {
  double quotient = 0;
  double rest = 0;
};

FloatDivision divide_to_floor(double a, double b) {
  double rest = std::fmod(a, b);
  double quotient = (a - rest) / b;
  if (rest == 0.0) {
    rest = std::copysign(0.0, b);
  } else if ((b < 0) != (rest < 0)) {
    rest += b;
    quotient -= 1.0;
  }
  if (quotient == 0.0) return {std::copysign(0.0, a / b), rest};
  const double floor = std::floor(quotient);
  return {quotient - floor > 0.5 ? floor + 1.0 : floor, rest};
}

// The double nearest to a / b.
double quotient_of(std::uint64_t a, std::uint64_t b) {
  if (a == 0) return 0.0;
  // The dividend has 127 bits, so the quotient has at least 64: its last bit is far below the rounding.
  const int shift = 63 + std::countl_zero(a);
  const Unsigned128 wide = Unsigned128{a} << shift;
  Unsigned128 quotient = wide / b;
  if (quotient * b != wide) quotient |= 1;
  return std::ldexp(static_cast<double>(quotient), -shift);
}

MaybeNumber whole_power(std::int64_t base, std::int64_t exponent) {
  std::int64_t result = 1;
  bool base_overflows = false;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0 && (base_overflows || __builtin_mul_overflow(result, base, &result))) return std::nullopt;
    base_overflows = base_overflows || __builtin_mul_overflow(base, base, &base);
  }
  return PythonNumber::of_int(result);
}

MaybeNumber real_power(double base, double exponent) {
  if (base == 0.0 && exponent < 0) return std::nullopt;
  const bool finite = std::isfinite(base) && std::isfinite(exponent);
  if (finite && base < 0 && exponent != std::floor(exponent)) return std::nullopt;
  const double result = std::pow(base, exponent);
  if (finite && !std::isfinite(result)) return std::nullopt;
  return PythonNumber::of_float(result);
}

template <class Operation>
MaybeNumber bitwise(PythonNumber a, PythonNumber b, Operation operation) {
  if (any_float(a, b) || any_big(a, b)) return std::nullopt;
  const std::int64_t result = operation(a.whole(), b.whole());
  return a.is_bool() && b.is_bool() ? PythonNumber::of_bool(result != 0) : PythonNumber::of_int(result);
}

}  // namespace

void append_integer(std::string_view text, std::string& out) {
  text = strip(text);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const auto digits = plain_digits(text);
  if (!digits) return;
  if (negative && *digits != "0") out += '-';
  out += *digits;
}

std::optional<PythonNumber> PythonNumber::of_integral(double value) {
  constexpr double kBound = 9223372036854775808.0;
  if (!std::isfinite(value)) return std::nullopt;
  if (value >= -kBound && value < kBound) return of_int(static_cast<std::int64_t>(value));
  return PythonNumber(Type::kBig, 0, value);
}

std::string PythonNumber::text() const {
  if (is_big()) {
    std::array<char, std::numeric_limits<double>::max_exponent10 + 3> digits{};
    const auto end = std::to_chars(digits.begin(), digits.end(), real_, std::chars_format::fixed, 0);
    return {digits.begin(), end.ptr};
  }
  if (is_bool()) return whole_ != 0 ? "True" : "False";
  if (!is_float()) return std::to_string(whole_);
  if (std::isnan(real_)) return "nan";
  if (std::isinf(real_)) return real_ < 0 ? "-inf" : "inf";
  return shortest_decimal(real_);
}

MaybeNumber add(PythonNumber a, PythonNumber b) {
  if (any_float(a, b)) return PythonNumber::of_float(a.real() + b.real());
  if (any_big(a, b)) return std::nullopt;
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a.whole(), b.whole(), &sum)) return std::nullopt;
  return PythonNumber::of_int(sum);
}

MaybeNumber subtract(PythonNumber a, PythonNumber b) {
  if (any_float(a, b)) return PythonNumber::of_float(a.real() - b.real());
  if (any_big(a, b)) return std::nullopt;
  std::int64_t difference = 0;
  if (__builtin_sub_overflow(a.whole(), b.whole(), &difference)) return std::nullopt;
  return PythonNumber::of_int(difference);
}

MaybeNumber multiply(PythonNumber a, PythonNumber b) {
  if (any_float(a, b)) return PythonNumber::of_float(a.real() * b.real());
  if (any_big(a, b)) return std::nullopt;
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a.whole(), b.whole(), &product)) return std::nullopt;
  return PythonNumber::of_int(product);
}

MaybeNumber divide(PythonNumber a, PythonNumber b) {
  if (!b.truth()) return std::nullopt;
  if (any_float(a, b)) return PythonNumber::of_float(a.real() / b.real());
  if (any_big(a, b)) return std::nullopt;
  const double quotient = quotient_of(magnitude(a.whole()), magnitude(b.whole()));
  return PythonNumber::of_float((a.whole() < 0) != (b.whole() < 0) ? -quotient : quotient);
}

MaybeNumber floor_divide(PythonNumber a, PythonNumber b) {
  if (!b.truth()) return std::nullopt;
  if (any_float(a, b)) return PythonNumber::of_float(divide_to_floor(a.real(), b.real()).quotient);
  if (any_big(a, b)) return std::nullopt;
  if (b.whole() == -1) return negate(a);
  const bool rounds_down = (a.whole() < 0) != (b.whole() < 0) && a.whole() % b.whole() != 0;
  return PythonNumber::of_int(a.whole() / b.whole() - (rounds_down ? 1 : 0));
}

MaybeNumber modulo(PythonNumber a, PythonNumber b) {
  if (!b.truth()) return std::nullopt;
  if (any_float(a, b)) return PythonNumber::of_float(divide_to_floor(a.real(), b.real()).rest);
  if (any_big(a, b)) return std::nullopt;
  if (b.whole() == -1) return PythonNumber::of_int(0);
  const std::int64_t rest = a.whole() % b.whole();
  return PythonNumber::of_int(rest != 0 && (rest < 0) != (b.whole() < 0) ? rest + b.whole() : rest);
}

MaybeNumber power(PythonNumber a, PythonNumber b) {
  if (any_big(a, b) && !any_float(a, b)) return std::nullopt;
  if (any_float(a, b) || b.whole() < 0) return real_power(a.real(), b.real());
  return whole_power(a.whole(), b.whole());
}

MaybeNumber shift_left(PythonNumber a, PythonNumber b) {
  if (any_float(a, b) || any_big(a, b) || b.whole() < 0) return std::nullopt;
  if (!a.truth()) return PythonNumber::of_int(0);
  if (b.whole() > 62) return std::nullopt;
  return multiply(a, PythonNumber::of_int(std::int64_t{1} << b.whole()));
}

MaybeNumber shift_right(PythonNumber a, PythonNumber b) {
  if (any_float(a, b) || any_big(a, b) || b.whole() < 0) return std::nullopt;
  return PythonNumber::of_int(a.whole() >> std::min<std::int64_t>(b.whole(), 63));
}

MaybeNumber bit_and(PythonNumber a, PythonNumber b) {
  return bitwise(a, b, [](std::int64_t x, std::int64_t y) { return x & y; });
}

MaybeNumber bit_or(PythonNumber a, PythonNumber b) {
  return bitwise(a, b, [](std::int64_t x, std::int64_t y) { return x | y; });
}

MaybeNumber bit_xor(PythonNumber a, PythonNumber b) {
  return bitwise(a, b, [](std::int64_t x, std::int64_t y) { return x ^ y; });
}

MaybeNumber negate(PythonNumber a) {
  if (a.is_big()) return PythonNumber::of_integral(-a.real());
  return a.is_float() ? PythonNumber::of_float(-a.real()) : subtract(PythonNumber::of_int(0), a);
}

MaybeNumber invert(PythonNumber a) {
  if (a.is_float() || a.is_big()) return std::nullopt;
  return PythonNumber::of_int(~a.whole());
}

MaybeNumber absolute(PythonNumber a) {
  if (a.is_float()) return PythonNumber::of_float(std::fabs(a.real()));
  if (a.is_big()) return PythonNumber::of_integral(std::fabs(a.real()));
  return a.whole() < 0 ? negate(a) : PythonNumber::of_int(a.whole());
}

// An extended double represents every 64-bit integer.
static_assert(std::numeric_limits<long double>::digits >= 63);

bool less(PythonNumber a, PythonNumber b) {
  const auto exact = [](PythonNumber n) {
    return n.is_float() || n.is_big() ? static_cast<long double>(n.real()) : static_cast<long double>(n.whole());
  };
  return exact(a) < exact(b);
}

bool equal(PythonNumber a, PythonNumber b) {
  const bool ordered = !(a.is_float() && std::isnan(a.real())) && !(b.is_float() && std::isnan(b.real()));
  return ordered && !less(a, b) && !less(b, a);
}

}  // namespace bertprep
