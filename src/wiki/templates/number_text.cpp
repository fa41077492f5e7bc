#include "wiki/templates/python_number.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include "unicode/ascii.h"

namespace bertprep {
namespace {

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
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc()) return std::nullopt;
  return PythonNumber::of_int(value);
}

int base_of_prefix(std::string_view text) {
  if (text.size() < 2 || text[0] != '0') return 10;
  switch (text[1]) {
    case 'x':
    case 'X':
      return 16;
    case 'o':
    case 'O':
      return 8;
    case 'b':
    case 'B':
      return 2;
    default:
      return 10;
  }
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

void append_escaped(UChar32 c, std::string& out) {
  const auto value = static_cast<std::uint32_t>(c);
  switch (c) {
    case '\t':
      out += "\\t";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    default:
      if (value < 0x100) {
        append_hex('x', 2, value, out);
      } else if (value < 0x10000) {
        append_hex('u', 4, value, out);
      } else {
        append_hex('U', 8, value, out);
      }
  }
}

bool stays(char c) {
  return is_ascii_alphanumeric(c) || std::string_view("_.-~/").find(c) != std::string_view::npos;
}

}  // namespace

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
      append_escaped(c, out);
    }
  }
  out += quote;
}

void append_percent_encoded(std::string_view text, std::string& out) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (const char c : text) {
    if (stays(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
}

}  // namespace bertprep
