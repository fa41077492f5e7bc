#include "unicode/code_points.h"

#include <algorithm>

namespace bertprep::unicode {
namespace {

constexpr CodePoint kNoCharacter{kReplacement, 1};

// Bytes of the character that begins with `lead`, which is not ASCII; 0 for a byte that can't begin one.
std::size_t bytes_of_lead(unsigned char lead) {
  if (lead >= 0xF0) return lead <= 0xF4 ? 4 : 0;
  if (lead >= 0xE0) return 3;
  return lead >= 0xC2 ? 2 : 0;
}

// The byte at which character `index` after `from` begins.
std::size_t byte_of(std::string_view text, std::size_t from, std::int64_t index) {
  for (std::size_t at = from; at < text.size(); ++at) {
    if (!is_continuation_byte(text[at]) && index-- == 0) return at;
  }
  return text.size();
}

}  // namespace

CodePoint code_point_at(std::string_view text, std::size_t index) {
  const auto lead = static_cast<unsigned char>(text[index]);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = bytes_of_lead(lead);
  if (bytes == 0 || text.size() - index < bytes) return kNoCharacter;
  char32_t value = lead & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    const char byte = text[index + i];
    if (!is_continuation_byte(byte)) return kNoCharacter;
    value = value << 6 | (static_cast<unsigned char>(byte) & 0x3FU);
  }
  return {value, bytes};
}

CodePoint code_point_before(std::string_view text, std::size_t end) {
  std::size_t begin = end - 1;
  while (begin > 0 && end - begin < 4 && is_continuation_byte(text[begin])) --begin;
  const CodePoint c = code_point_at(text, begin);
  return begin + c.bytes == end ? c : kNoCharacter;
}

void append_utf8(char32_t c, std::string& out) {
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

std::u32string decode(std::string_view text) {
  std::u32string out;
  out.reserve(text.size());
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) out += next_code_point(at);
  return out;
}

std::string encode(std::u32string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char32_t c : text) append_utf8(c, out);
  return out;
}

std::int64_t character_count(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char byte) { return !is_continuation_byte(byte); });
}

std::string_view character_range(std::string_view text, std::int64_t first, std::int64_t count) {
  const std::size_t begin = byte_of(text, 0, first);
  return text.substr(begin, byte_of(text, begin, count) - begin);
}

std::size_t wide_space_bytes(std::string_view text, std::size_t at) {
  // U+0085, U+00A0; U+1680 to U+3000.
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead != 0xC2 && (lead < 0xE1 || lead > 0xE3)) return 0;
  const CodePoint c = code_point_at(text, at);
  return is_space(c.value) ? c.bytes : 0;
}

}  // namespace bertprep::unicode
