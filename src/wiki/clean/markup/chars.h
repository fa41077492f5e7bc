// Characters and words of markup, for the clean extractor: marks, blanks, trimming, names.
#pragma once

#include <string>
#include <string_view>

#include "unicode/ascii.h"
#include "unicode/code_points.h"
#include "unicode/utf8_text.h"

namespace bertprep::clean {

// What stands for a tag between the reading of the source and the making of lines.
inline constexpr char kBlockMark = '\x01';       // a block begins or ends: <p>, <div>, ...
inline constexpr char kBreakMark = '\x02';       // <br>
inline constexpr char kTableOpenMark = '\x03';   // <table>
inline constexpr char kTableCloseMark = '\x04';  // </table>
inline constexpr char kRaiseMark = '\x05';       // <sup>
inline constexpr char kGapMark = '\x06';    // something that shows nothing, between apostrophes that it keeps apart
inline constexpr char kEmptyMark = '\x07';  // between brackets that the author left empty: malloc()
inline constexpr char kLessMark = '\x08';   // a `<` of code, which begins no tag
inline constexpr char kHoleMark = '\x0E';   // a template or formula that is lost
inline constexpr char kGoneMark = '\x0F';   // something that shows nothing, beside signs that may go with it

constexpr bool is_blank(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\r';
}
constexpr bool is_space(char byte) {
  return is_blank(byte) || byte == '\n' || byte == kBreakMark || byte == kBlockMark;
}
// An ASCII letter or digit, or a byte of a character beyond ASCII.
constexpr bool is_word_byte(char byte) {
  return is_ascii_letter(byte) || is_ascii_digit(byte) || !is_ascii(byte);
}
std::string_view trim(std::string_view text);
std::string_view trim_right(std::string_view text);
std::string_view trim_left(std::string_view text);

// In lower case; trimmed, `_` and runs of blanks are one blank.
std::string normal_name(std::string_view text);
// The same with all capitals but the first letter's, as MediaWiki compares the names of pages: "uSA".
std::string page_name(std::string_view text);

// Whether a line or block begins at the end of `text`, but for blanks and marks of what is lost.
bool at_line_begin(std::string_view text);

// To call where something between `out` and `next` shows nothing: ''[x]'' are no four apostrophes.
void keep_quotes_apart(std::string& out, std::string_view next);

// Dates of template arguments as English text.

// "14 March 1879" or, with `month_first`, "March 14, 1879" of "1879", "3", "14"; "March 1879" without a day. A
// year alone comes back as it is; empty for another text.
std::string written_date(std::string_view year, std::string_view month, std::string_view day, bool month_first);

}  // namespace bertprep::clean
