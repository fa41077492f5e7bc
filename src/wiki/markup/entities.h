// Character references: &amp; &#233; &#xE9; -> the characters.
#pragma once

#include <string>
#include <string_view>

#include "unicode/properties/properties.h"

namespace bertprep {

// True: `out` is the new text. False: nothing changes. One pass from left to right: what it makes is not looked at
// again. Numbers are what Python's int() takes: digits of any script, single _ between them. References to NUL and to
// surrogates, which no text can hold, stay as they are.
bool unescape(std::string_view text, const unicode::WordCharacters& words, std::string& out);

// The same for all but the bodies of escaped <syntaxhighlight ...>: they stay as they are and lose their tags.
bool unescape_around_code(std::string_view text, const unicode::WordCharacters& words, std::string& out);

}  // namespace bertprep
