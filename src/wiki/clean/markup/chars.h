// Characters and words of markup, for the clean extractor: marks, blanks, trimming, names, character references.
#pragma once

#include <algorithm>
#include <initializer_list>

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

constexpr bool is_lost_mark(char byte) {
  return byte == kHoleMark || byte == kGoneMark;
}
constexpr bool is_blank(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\r';
}
constexpr bool is_space(char byte) {
  return is_blank(byte) || byte == '\n' || byte == kBreakMark || byte == kBlockMark;
}
// An ASCII letter or digit, or a byte of a character beyond ASCII.
constexpr bool is_word_byte(char byte) {
  return is_ascii_alphanumeric(byte) || !is_ascii(byte);
}
std::string_view trim(std::string_view text);
std::string_view trim_right(std::string_view text);
std::string_view trim_left(std::string_view text);

// The length of the first of `signs` with which the text begins or ends; 0 if there is none.
template <typename Signs = std::initializer_list<std::string_view>>
std::size_t length_at_begin(std::string_view text, const Signs& signs) {
  for (const std::string_view sign : signs) {
    if (text.starts_with(sign)) return sign.size();
  }
  return 0;
}
template <typename Signs = std::initializer_list<std::string_view>>
std::size_t length_at_end(std::string_view text, const Signs& signs) {
  for (const std::string_view sign : signs) {
    if (text.ends_with(sign)) return sign.size();
  }
  return 0;
}

// Calls take(item) for each item of "a, b, c", or of what else parts them.
template <typename Take>
void for_each_item(std::string_view list, std::string_view between, Take take) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(between), list.size());
    take(list.substr(0, end));
    list.remove_prefix(std::min(end + between.size(), list.size()));
  }
}
// Whether `words`, parted by blanks, have `word`.
bool has_word(std::string_view words, std::string_view word);

// In lower case; trimmed, `_` and runs of blanks are one blank.
std::string normal_name(std::string_view text);
// The same with all capitals but the first letter's, as MediaWiki compares the names of pages: "uSA".
std::string page_name(std::string_view text);

// Whether a line or block begins at the end of `text`, but for blanks and marks of what is lost.
bool at_line_begin(std::string_view text);

// To call where something between `out` and `next` shows nothing: ''[x]'' are no four apostrophes.
void keep_quotes_apart(std::string& out, std::string_view next);

// Appends a character reference, which no later stage takes for markup.
void append_as_reference(char sign, std::string& out);

// Replaces `out` by the text of a dump, with the five references of XML and the numeric ones read.
void unescape_xml(std::string_view text, std::string& out);
// Reads every character reference of HTML 5 that ends in `;`, twice over, since editors escape what is escaped. Unknown
// ones stay. Characters that no text may hold (NUL, controls, surrogates) vanish.
void unescape_html(std::string& text);

// A date of template arguments as English text: "14 March 1879" or, with `month_first`, "March 14, 1879" of "1879",
// "3", "14"; "March 1879" without a day. A year alone comes back as it is; empty for another text.
std::string written_date(std::string_view year, std::string_view month, std::string_view day, bool month_first);

}  // namespace bertprep::clean
