#include "wiki/python_repr.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <cstdint>

namespace bertprep {
namespace {

// Everything but the categories C* and Z*, and the blank.
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

}  // namespace

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

}  // namespace bertprep
