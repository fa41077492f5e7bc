// Whether what was decoded as a text is one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bertprep {

// Why UTF-8 is no text: more than one character in a hundred is a control character that no text has. Bytes of
// pictures, programs and compressed data have some ten, whatever encoding they are taken for.
std::optional<std::string> why_no_text(std::string_view text);

}  // namespace bertprep
