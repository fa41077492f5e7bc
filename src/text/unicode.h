// Character properties as Python 3.11 sees them (Unicode 14), from ICU. The only door to ICU beside text/icu_*.
//
// ICU may be newer than Unicode 14: a character that was assigned later counts as unassigned (category Cn),
// so that results do not depend on the ICU that is installed. All functions are thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/library_version.h"

namespace bertprep::unicode {

bool is_space(char32_t c);             // str.isspace(): 29 code points
bool is_control(char32_t c);           // category C*, unassigned and surrogates included
bool is_separator_space(char32_t c);   // category Zs
bool is_punctuation(char32_t c);       // category P*, or one of ASCII 33-47 58-64 91-96 123-126
bool is_nonspacing_mark(char32_t c);   // category Mn
bool is_decimal_digit(char32_t c);     // category Nd
bool is_upper(char32_t c);             // derived property Uppercase
bool is_lower(char32_t c);             // derived property Lowercase
bool is_word_not_digit(char32_t c);    // [^\W\d] of Python's re: alnum or '_', but not Nd
bool is_cjk(char32_t c);               // the blocks that BERT puts blanks around
bool changes_in_lower(char32_t c);     // lower() maps it to something else
bool decomposes(char32_t c);           // nfd() maps it to something else
bool has_combining_class(char32_t c);  // canonical combining class other than 0: nfd() may move it

// str.lower(): full mappings, with the final-sigma rule over the whole of `text`.
std::u32string lower(std::u32string_view text);
// Canonical decomposition with canonical ordering (NFD).
std::u32string nfd(std::u32string_view text);

// `text` must be valid UTF-8.
std::u32string decode(std::string_view text);
void append_utf8(char32_t c, std::string& out);
std::string encode(std::u32string_view text);

LibraryVersion version_of_icu();

}  // namespace bertprep::unicode
