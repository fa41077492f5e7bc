#include "wiki/templates/python_number.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>

#include "base/number_text.h"
#include "unicode/ascii.h"
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

// `of_reals` of two numbers of which one is real; of two integers `overflows` stores the result, or tells that 64 bits
// can't hold it.
template <class OfReals, class Overflows>
MaybeNumber arithmetic(PythonNumber a, PythonNumber b, OfReals of_reals, Overflows overflows) {
  if (any_float(a, b)) return PythonNumber::of_float(of_reals(a.real(), b.real()));
  std::int64_t result = 0;
  if (any_big(a, b) || overflows(a.whole(), b.whole(), &result)) return std::nullopt;
  return PythonNumber::of_int(result);
}

template <class Operation>
MaybeNumber bitwise(PythonNumber a, PythonNumber b, Operation operation) {
  if (any_float(a, b) || any_big(a, b)) return std::nullopt;
  const std::int64_t result = operation(a.whole(), b.whole());
  return a.is_bool() && b.is_bool() ? PythonNumber::of_bool(result != 0) : PythonNumber::of_int(result);
}

bool is_digit(char c, int base) {
  if (base == 16 && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))) return true;
  return c >= '0' && c < '0' + std::min(base, 10);
}

// Moves the digits at the start of `text` to `digits`; single underscores may separate them.
bool take_digits(std::string_view& text, int base, std::string& digits) {
  std::size_t at = 0;
  while (at < text.size()) {
    const bool underscore = text[at] == '_' && at > 0 && at + 1 < text.size();
    const std::size_t digit = at + (underscore ? 1 : 0);
    if (!is_digit(text[digit], base)) break;
    digits += text[digit];
    at = digit + 1;
  }
  text.remove_prefix(at);
  return at > 0;
}

MaybeNumber whole_number(const std::string& digits, int base) {
  const auto value = number_in<std::int64_t>(digits, base);
  return value ? MaybeNumber(PythonNumber::of_int(*value)) : std::nullopt;
}

int base_of_prefix(std::string_view text) {
  if (text.size() < 2 || text[0] != '0') return 10;
  const char kind = ascii_lower(text[1]);
  return kind == 'x' ? 16 : kind == 'o' ? 8 : kind == 'b' ? 2 : 10;
}

MaybeNumber read_based(std::string_view& text, int base) {
  text.remove_prefix(2);
  if (text.starts_with('_')) text.remove_prefix(1);
  std::string digits;
  if (!take_digits(text, base, digits)) return std::nullopt;
  return whole_number(digits, base);
}

// ".5", "e-3" and the like, after the digits read so far. False: the number is an integer.
bool take_fraction(std::string_view& text, std::string& digits) {
  bool real = false;
  if (text.starts_with('.')) {
    real = true;
    text.remove_prefix(1);
    digits += '.';
    take_digits(text, 10, digits);
  }
  if (!text.starts_with('e') && !text.starts_with('E')) return real;
  std::string_view rest = text.substr(1);
  std::string exponent = "e";
  if (rest.starts_with('+') || rest.starts_with('-')) {
    exponent += rest.front();
    rest.remove_prefix(1);
  }
  if (!take_digits(rest, 10, exponent)) return real;
  digits += exponent;
  text = rest;
  return true;
}

MaybeNumber real_number(const std::string& digits) {
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) {
    const bool tiny = digits.find("e-") != std::string::npos || digits.find_first_not_of("0.") > digits.find('.');
    value = tiny ? 0.0 : std::numeric_limits<double>::infinity();
  }
  return PythonNumber::of_float(value);
}

// All but the categories C* and Z*, plus the blank.
bool is_printable(UChar32 c) {
  if (c < 0x7F) return c >= ' ';
  UVersionInfo age;
  u_charAge(c, age);
  if (age[0] == 0 || age[0] > 14) return false;
  return (U_GET_GC_MASK(c) & (U_GC_C_MASK | U_GC_Z_MASK)) == 0;
}

void append_hex(char kind, int digits, std::uint32_t value, std::string& out) {
  out += '\\';
  out += kind;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += "0123456789abcdef"[(value >> shift) & 15];
}

void append_escape(UChar32 c, std::string& out) {
  const auto value = static_cast<std::uint32_t>(c);
  if (c == '\t' || c == '\n' || c == '\r') {
    out += c == '\t' ? "\\t" : c == '\n' ? "\\n" : "\\r";
  } else if (value < 0x100) {
    append_hex('x', 2, value, out);
  } else if (value < 0x10000) {
    append_hex('u', 4, value, out);
  } else {
    append_hex('U', 8, value, out);
  }
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
  return arithmetic(a, b, std::plus<>(), [](auto x, auto y, auto* sum) { return __builtin_add_overflow(x, y, sum); });
}

MaybeNumber subtract(PythonNumber a, PythonNumber b) {
  return arithmetic(a, b, std::minus<>(),
                    [](auto x, auto y, auto* difference) { return __builtin_sub_overflow(x, y, difference); });
}

MaybeNumber multiply(PythonNumber a, PythonNumber b) {
  return arithmetic(a, b, std::multiplies<>(),
                    [](auto x, auto y, auto* product) { return __builtin_mul_overflow(x, y, product); });
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
  return bitwise(a, b, std::bit_and<>());
}

MaybeNumber bit_or(PythonNumber a, PythonNumber b) {
  return bitwise(a, b, std::bit_or<>());
}

MaybeNumber bit_xor(PythonNumber a, PythonNumber b) {
  return bitwise(a, b, std::bit_xor<>());
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

MaybeNumber read_number(std::string_view& text) {
  if (const int base = base_of_prefix(text); base != 10) return read_based(text, base);
  std::string digits;
  const bool has_whole = take_digits(text, 10, digits);
  if (!has_whole && !(text.size() > 1 && text[0] == '.' && is_digit(text[1], 10))) return std::nullopt;
  if (take_fraction(text, digits)) return real_number(digits);
  const bool leading_zero = digits.size() > 1 && digits[0] == '0' && digits.find_first_not_of('0') != std::string::npos;
  if (leading_zero) return std::nullopt;
  return whole_number(digits, 10);
}

void append_python_repr(std::string_view text, std::string& out) {
  const bool has_single = text.find('\'') != std::string_view::npos;
  const char quote = has_single && text.find('"') == std::string_view::npos ? '"' : '\'';
  out += quote;
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto size = static_cast<std::int64_t>(text.size());
  for (std::int64_t at = 0; at < size;) {
    const std::int64_t begin = at;
    UChar32 c = 0;
    U8_NEXT(bytes, at, size, c);
    if (c == quote || c == '\\') out += '\\';
    if (c >= 0 && is_printable(c)) {
      out += text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(at - begin));
    } else {
      append_escape(c, out);
    }
  }
  out += quote;
}

}  // namespace bertprep
