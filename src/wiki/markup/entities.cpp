#include "wiki/markup/entities.h"

#include <algorithm>

#include "unicode/byte_search.h"
#include "unicode/properties/html_names.h"
#include "wiki/markup/edits.h"

namespace bertprep {
namespace {

constexpr std::uint32_t kLastCodePoint = 0x10FFFF;

int digit_of(char32_t c, std::uint32_t base) {
  if (base == 16 && c >= 'a' && c <= 'f') return static_cast<int>(c - 'a') + 10;
  if (base == 16 && c >= 'A' && c <= 'F') return static_cast<int>(c - 'A') + 10;
  return unicode::decimal_digit(c);
}

// int(digits, base), nothing if that fails or is not a code point.
std::optional<char32_t> number_of(std::string_view digits, std::uint32_t base) {
  if (base == 16 && (digits.starts_with("0x") || digits.starts_with("0X"))) {
    digits.remove_prefix(2);
    if (digits.starts_with('_')) digits.remove_prefix(1);
  }
  std::uint32_t number = 0;
  bool after_digit = false;
  for (std::size_t i = 0; i < digits.size();) {
    const unicode::CodePoint c = unicode::code_point_at(digits, i);
    i += c.bytes;
    if (c.value == '_') {
      if (!after_digit) return {};
      after_digit = false;
      continue;
    }
    const int digit = digit_of(c.value, base);
    if (digit < 0) return {};
    number = std::min(number * base + static_cast<std::uint32_t>(digit), kLastCodePoint + 1);
    after_digit = true;
  }
  if (!after_digit || number > kLastCodePoint) return {};
  return number;
}

bool is_of_text(char32_t c) {
  return c != 0 && (c < 0xD800 || c > 0xDFFF);
}

// The character of a reference, given its word between & or &# and the semicolon.
std::optional<char32_t> character_of(std::string_view word, bool is_number) {
  if (!is_number) return unicode::html4_character(word);
  const bool is_hexadecimal = word.starts_with('x');
  const auto c = is_hexadecimal ? number_of(word.substr(1), 16) : number_of(word, 10);
  return c && is_of_text(*c) ? c : std::nullopt;
}

// Replaces the references that begin in text[from, end).
void unescape_part(std::string_view text, std::size_t from, std::size_t end, const unicode::WordCharacters& words,
                   std::string& character, Edits& edits) {
  const std::string_view part = text.substr(0, end);
  for (std::size_t begin = find_byte(part, '&', from); begin != part.npos; begin = find_byte(part, '&', from)) {
    if (const auto common = unicode::common_reference(part.substr(begin + 1)); !common.text.empty()) {
      from = begin + 1 + common.text.size();
      edits.replace(begin, from, common.character);
      continue;
    }
    const bool is_number = begin + 1 < part.size() && part[begin + 1] == '#';
    const std::size_t word = begin + 1 + (is_number ? 1 : 0);
    const std::size_t word_end = words.skip_word(part, word);
    from = word_end;
    if (word_end == word || word_end == part.size() || part[word_end] != ';') continue;
    const std::optional<char32_t> c = character_of(part.substr(word, word_end - word), is_number);
    if (!c) continue;
    character.clear();
    unicode::append_utf8(*c, character);
    edits.replace(begin, word_end + 1, character);
    from = word_end + 1;
  }
}

}  // namespace

bool unescape(std::string_view text, const unicode::WordCharacters& words, std::string& out) {
  Edits edits(text, out);
  std::string character;
  unescape_part(text, 0, text.size(), words, character, edits);
  return edits.finish();
}

bool unescape_around_code(std::string_view text, const unicode::WordCharacters& words, std::string& out) {
  constexpr std::string_view kOpening = "&lt;syntaxhighlight ", kOpeningEnd = "&gt;";
  constexpr std::string_view kClosing = "&lt;/syntaxhighlight&gt;";
  Edits edits(text, out);
  std::string character;
  std::size_t done = 0;
  for (;;) {
    const std::size_t opening = text.find(kOpening, done);
    if (opening == text.npos) break;
    const std::size_t opening_end = text.find(kOpeningEnd, opening + kOpening.size());
    if (opening_end == text.npos) break;
    const std::size_t body = opening_end + kOpeningEnd.size();
    const std::size_t closing = text.find(kClosing, body);
    if (closing == text.npos) break;
    unescape_part(text, done, opening, words, character, edits);
    edits.erase(opening, body);
    edits.erase(closing, closing + kClosing.size());
    done = closing + kClosing.size();
  }
  unescape_part(text, done, text.size(), words, character, edits);
  return edits.finish();
}

}  // namespace bertprep
