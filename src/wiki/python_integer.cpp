#include "wiki/python_integer.h"

#include <cstddef>
#include <optional>

#include "bertprep/io/strip.h"
#include "wiki/word_characters.h"

namespace bertprep {
namespace {

constexpr std::size_t kMostDigits = 4300;

// The digits of an integer without its sign, in ASCII and without leading zeros.
std::optional<std::string> plain_digits(std::string_view text) {
  std::string digits;
  bool after_digit = false;
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = code_point_at(text, at);
    at += c.bytes;
    if (c.value == '_' && after_digit) {
      after_digit = false;
      continue;
    }
    const int value = decimal_digit(c.value);
    if (value < 0) return std::nullopt;
    after_digit = true;
    ++count;
    if (value != 0 || !digits.empty()) digits += static_cast<char>('0' + value);
  }
  if (!after_digit || count > kMostDigits) return std::nullopt;
  return digits.empty() ? "0" : digits;
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

}  // namespace bertprep
