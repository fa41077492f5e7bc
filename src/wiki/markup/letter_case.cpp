#include "wiki/markup/letter_case.h"

#include <unicode/uchar.h>
#include <unicode/ustring.h>

#include <algorithm>
#include <cstdint>

#include "bertprep/base/error.h"
#include "wiki/markup/word_characters.h"

namespace bertprep {
namespace {

using CaseMapping = std::int32_t (*)(char16_t* to, std::int32_t capacity, const char16_t* from, std::int32_t length,
                                     const char* locale, UErrorCode* status);

void require_success(UErrorCode status) {
  if (U_FAILURE(status)) throw Error(std::string("ICU: letter case: ") + u_errorName(status));
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Characters after Unicode 14 count as unassigned: they have no case and end the context of a final sigma.
bool is_too_new(char32_t c) {
  UVersionInfo age;
  u_charAge(static_cast<UChar32>(c), age);
  return age[0] > 14;
}

std::u16string to_utf16(std::string_view text) {
  std::u16string units(text.size(), u'\0');
  std::int32_t length = 0;
  UErrorCode status = U_ZERO_ERROR;
  u_strFromUTF8(units.data(), static_cast<std::int32_t>(units.size()), &length, text.data(),
                static_cast<std::int32_t>(text.size()), &status);
  require_success(status);
  units.resize(static_cast<std::size_t>(length));
  return units;
}

void append_utf8(std::u16string_view units, std::string& out) {
  const std::size_t before = out.size();
  out.resize(before + units.size() * 3);
  std::int32_t length = 0;
  UErrorCode status = U_ZERO_ERROR;
  u_strToUTF8(out.data() + before, static_cast<std::int32_t>(units.size() * 3), &length, units.data(),
              static_cast<std::int32_t>(units.size()), &status);
  require_success(status);
  out.resize(before + static_cast<std::size_t>(length));
}

// No character becomes more than three.
void append_mapped_stretch(std::string_view text, CaseMapping mapping, std::string& out) {
  const std::u16string from = to_utf16(text);
  std::u16string to(from.size() * 3, u'\0');
  UErrorCode status = U_ZERO_ERROR;
  const std::int32_t length = mapping(to.data(), static_cast<std::int32_t>(to.size()), from.data(),
                                      static_cast<std::int32_t>(from.size()), "", &status);
  if (status == U_STRING_NOT_TERMINATED_WARNING) status = U_ZERO_ERROR;
  require_success(status);
  append_utf8(std::u16string_view(to).substr(0, static_cast<std::size_t>(length)), out);
}

void append_mapped(std::string_view text, CaseMapping mapping, std::string& out) {
  std::size_t stretch = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = code_point_at(text, at);
    if (is_too_new(c.value)) {
      append_mapped_stretch(text.substr(stretch, at - stretch), mapping, out);
      out += text.substr(at, c.bytes);
      stretch = at + c.bytes;
    }
    at += c.bytes;
  }
  append_mapped_stretch(text.substr(stretch), mapping, out);
}

void append_case(std::string_view text, char first, char change, CaseMapping mapping, std::string& out) {
  if (!is_ascii(text)) {
    append_mapped(text, mapping, out);
    return;
  }
  for (const char c : text) out += c >= first && c < first + 26 ? static_cast<char>(c + change) : c;
}

std::size_t first_bytes(std::string_view text) {
  return text.empty() ? 0 : code_point_at(text, 0).bytes;
}

}  // namespace

void append_lower(std::string_view text, std::string& out) {
  append_case(text, 'A', 'a' - 'A', u_strToLower, out);
}

void append_upper(std::string_view text, std::string& out) {
  append_case(text, 'a', 'A' - 'a', u_strToUpper, out);
}

void append_lower_first(std::string_view text, std::string& out) {
  const std::size_t first = first_bytes(text);
  append_lower(text.substr(0, first), out);
  out += text.substr(first);
}

void append_upper_first(std::string_view text, std::string& out) {
  const std::size_t first = first_bytes(text);
  append_upper(text.substr(0, first), out);
  out += text.substr(first);
}

}  // namespace bertprep
