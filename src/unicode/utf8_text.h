// UTF-8 texts: validation, with the position of the first fault, white space at their ends, replacement; text of any
// bytes for display and in messages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/number_text.h"

namespace bertprep {

// Byte offset of the first byte that does not belong to a well-formed sequence (overlong forms, surrogates and values
// above U+10FFFF are faults, as in Python's strict decoder), or nothing if all of `bytes` is valid.
std::optional<std::size_t> find_invalid_utf8(std::string_view bytes);

// Throws FormatError "FILE:LINE: invalid UTF-8 at byte OFFSET" if `bytes` is not valid. `first_line` and `first_byte`
// say where `bytes` starts in the file (lines from 1, bytes from 0).
void require_valid_utf8(std::string_view bytes, const std::string& file, std::size_t first_line = 1,
                        std::size_t first_byte = 0);

// `strip` removes white space (Python's str.isspace(), 29 code points) at both ends, as str.strip() does, `strip_end`
// at the end only. `text` must be valid UTF-8; the result is a view into it.
std::string_view strip(std::string_view text);
std::string_view strip_end(std::string_view text);

// The lines of `text` (valid UTF-8), each stripped: they end at LF, CR or CRLF. The last one may lack a line end.
std::vector<std::string_view> split_stripped_lines(std::string_view text);

// The text before the first of `signs`, a character or several, which is removed with the sign; all if there is none.
template <class Signs>
std::string_view take_part(std::string_view& text, Signs signs) {
  const std::string_view part = text.substr(0, text.find_first_of(signs));
  text.remove_prefix(std::min(part.size() + 1, text.size()));
  return part;
}

// Replaces every `from` by `to`, from front to back; `from` is not empty.
void replace_all(std::string& text, std::string_view from, std::string_view to);

// Appends a part that is not empty, behind `between` if it is not the first.
inline void append_part(std::string_view part, std::string_view between, std::string& text) {
  if (!part.empty()) text.append(text.empty() ? "" : between).append(part);
}

// "a b" -> "a%20b" as RFC 3986 says: all but ASCII letters, digits and "-_.~"; slashes unless `keeps_slashes`.
std::string url_encoded(std::string_view text, bool keeps_slashes = false);

// Of any bytes, for display: line feeds and tabs stay; other controls, and bytes that are not UTF-8, are escaped, as \r
// or \x1B.
std::string visible_text(std::string_view bytes);

// A name of any bytes in quotes, on one line and shortened.
std::string quoted_key(std::string_view key);
// The first eight of a list of them.
template <class Keys>
std::string listed_keys(const Keys& keys) {
  const auto shown = std::span(keys).first(std::min<std::size_t>(keys.size(), 8));
  const std::string list = joined(shown, ", ", quoted_key);
  return shown.size() == keys.size() ? list : list + " and " + std::to_string(keys.size() - shown.size()) + " more";
}

}  // namespace bertprep
