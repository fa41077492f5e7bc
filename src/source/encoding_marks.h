// Encodings that can be seen without a guess at letters: by marks, escapes and the places of blanks.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bertprep {

// By a byte order mark: "UTF-8", "UTF-16", "UTF-32".
std::optional<std::string> encoding_by_mark(std::string_view bytes);

// "UTF-16LE", "UTF-16BE": every twentieth unit or more is a blank or a line feed in one order of bytes, and none or few
// in the other.
std::optional<std::string> utf16_without_mark(std::string_view bytes);

// "ISO-2022-JP", "ISO-2022-KR", "ISO-2022-CN", "HZ": bytes that are all ASCII, with escapes.
std::optional<std::string> encoding_by_escapes(std::string_view bytes);

}  // namespace bertprep
