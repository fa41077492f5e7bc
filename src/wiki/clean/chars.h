// Characters and words of markup, for the clean extractor: UTF-8, blanks, case, trimming.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bertprep::clean {

// What stands for a tag between the reading of the source and the making of lines.
inline constexpr char kBlockMark = '\x01';       // a block begins or ends: <p>, <div>, ...
inline constexpr char kBreakMark = '\x02';       // <br>
inline constexpr char kTableOpenMark = '\x03';   // <table>
inline constexpr char kTableCloseMark = '\x04';  // </table>
inline constexpr char kRaiseMark = '\x05';       // <sup>

constexpr bool is_blank(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\r';
}
constexpr bool is_space(char byte) {
  return is_blank(byte) || byte == '\n' || byte == kBreakMark || byte == kBlockMark;
}
constexpr bool is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}
constexpr bool is_upper(char byte) {
  return byte >= 'A' && byte <= 'Z';
}
constexpr bool is_letter(char byte) {
  return is_upper(byte) || (byte >= 'a' && byte <= 'z');
}
// An ASCII letter or digit, or a byte of a character beyond ASCII.
constexpr bool is_word_byte(char byte) {
  return is_letter(byte) || is_digit(byte) || (byte & 0x80) != 0;
}
constexpr char lower(char byte) {
  return is_upper(byte) ? static_cast<char>(byte + 32) : byte;
}

std::string_view trim(std::string_view text);
std::string_view trim_right(std::string_view text);
std::string_view trim_left(std::string_view text);
bool same_word(std::string_view text, std::string_view lower_word);
bool starts_with_word(std::string_view text, std::string_view lower_word);

// Lower case for ASCII, Latin-1, Latin Extended-A, Greek and Cyrillic; trimmed, `_` and runs of blanks are one blank.
std::string normal_name(std::string_view text);

void append_utf8(std::string& out, std::uint32_t code);
// The code point at `index`, which moves past it. A malformed byte counts as U+FFFD.
std::uint32_t next_code(std::string_view text, std::size_t& index);
// Replaces every `from` by `to`.
void replace_all(std::string& text, std::string_view from, std::string_view to);

}  // namespace bertprep::clean
