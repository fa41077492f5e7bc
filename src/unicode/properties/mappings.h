// Mappings of texts as Python's str methods and unicodedata make them (Unicode 14), by ICU.
#pragma once

#include <string>
#include <string_view>

namespace bertprep::unicode {

// str.lower(): full mappings, with the final-sigma rule over the whole of `text`.
std::u32string lower(std::u32string_view text);
// The lower case of one character; itself if it has none.
char32_t lower(char32_t c);
// Canonical decomposition with canonical ordering (NFD).
std::u32string nfd(std::u32string_view text);

// `text` must be valid UTF-8. A character may map to several.
void append_lower(std::string_view text, std::string& out);
void append_upper(std::string_view text, std::string& out);
void append_lower_first(std::string_view text, std::string& out);
void append_upper_first(std::string_view text, std::string& out);

}  // namespace bertprep::unicode
