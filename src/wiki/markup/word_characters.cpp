#include "wiki/markup/word_characters.h"

#include <unicode/uchar.h>
#include <unicode/uset.h>

#include <memory>
#include <string>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

struct CloseSet {
  void operator()(USet* set) const { uset_close(set); }
};

bool is_of_unicode_14(char32_t c) {
  UVersionInfo age;
  u_charAge(static_cast<UChar32>(c), age);
  return age[0] <= 14;
}

constexpr CodePoint kNoCharacter{0xFFFD, 1};

unsigned char byte_at(std::string_view text, std::size_t index) {
  return static_cast<unsigned char>(text[index]);
}

bool is_continuation(unsigned char byte) {
  return (byte & 0xC0) == 0x80;
}

// Bytes of the character that begins with `lead`, which is not ASCII; 0 for a byte that begins none.
std::size_t bytes_of_lead(unsigned char lead) {
  if (lead >= 0xF0) return lead <= 0xF4 ? 4 : 0;
  if (lead >= 0xE0) return 3;
  return lead >= 0xC2 ? 2 : 0;
}

}  // namespace

CodePoint code_point_at(std::string_view text, std::size_t index) {
  const unsigned char lead = byte_at(text, index);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = bytes_of_lead(lead);
  if (bytes == 0 || text.size() - index < bytes) return kNoCharacter;
  char32_t value = lead & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    const unsigned char byte = byte_at(text, index + i);
    if (!is_continuation(byte)) return kNoCharacter;
    value = value << 6 | (byte & 0x3FU);
  }
  return {value, bytes};
}

CodePoint code_point_before(std::string_view text, std::size_t end) {
  std::size_t begin = end - 1;
  while (begin > 0 && end - begin < 4 && is_continuation(byte_at(text, begin))) --begin;
  const CodePoint c = code_point_at(text, begin);
  return begin + c.bytes == end ? c : kNoCharacter;
}

void append_code_point(char32_t c, std::string& out) {
  const auto add = [&out](char32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) {
    add(c);
    return;
  }
  if (c < 0x800) {
    add(0xC0 | c >> 6);
  } else if (c < 0x10000) {
    add(0xE0 | c >> 12);
    add(0x80 | (c >> 6 & 0x3F));
  } else {
    add(0xF0 | c >> 18);
    add(0x80 | (c >> 12 & 0x3F));
    add(0x80 | (c >> 6 & 0x3F));
  }
  add(0x80 | (c & 0x3F));
}

bool is_space(char32_t c) {
  if (c < 0x80) return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20);
  if (c < 0x1680) return c == 0x85 || c == 0xA0;
  return c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

std::size_t skip_any_spaces(std::string_view text, std::size_t from) {
  while (from < text.size()) {
    const CodePoint c = code_point_at(text, from);
    if (!is_space(c.value)) break;
    from += c.bytes;
  }
  return from;
}

int decimal_digit(char32_t c) {
  if (c < 0x80) return c >= '0' && c <= '9' ? static_cast<int>(c - '0') : -1;
  if (u_charType(static_cast<UChar32>(c)) != U_DECIMAL_DIGIT_NUMBER || !is_of_unicode_14(c)) return -1;
  return u_charDigitValue(static_cast<UChar32>(c));
}

WordCharacters::WordCharacters() : bits_(kLimit / 64) {
  UErrorCode status = U_ZERO_ERROR;
  // A newer ICU knows characters that Unicode 14 does not.
  const std::unique_ptr<USet, CloseSet> set(uset_openPattern(u"[[[:L:][:N:]_]&[:age=14.0:]]", -1, &status));
  if (U_FAILURE(status)) throw Error(std::string("ICU: property set: ") + u_errorName(status));
  const std::int32_t ranges = uset_getItemCount(set.get());
  for (std::int32_t i = 0; i < ranges; ++i) {
    UChar32 first = 0, last = 0;
    uset_getItem(set.get(), i, &first, &last, nullptr, 0, &status);
    for (auto c = static_cast<std::size_t>(first); c <= static_cast<std::size_t>(last); ++c) {
      bits_[c / 64] |= std::uint64_t{1} << (c % 64);
    }
  }
}

std::size_t WordCharacters::skip_word(std::string_view text, std::size_t from) const {
  while (from < text.size()) {
    const CodePoint c = code_point_at(text, from);
    if (!is_word(c.value)) break;
    from += c.bytes;
  }
  return from;
}

}  // namespace bertprep
