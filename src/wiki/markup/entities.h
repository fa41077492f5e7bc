// Character references: &amp; &#233; &#xE9; -> the characters.
#pragma once

#include "unicode/properties/properties.h"

namespace bertprep {

// True: `out` is the new text. False: nothing changes. One pass from left to right: results are not unescaped again.
// Numbers are those accepted by Python's int(): digits of any script, with single _ between them. References to NUL and
// to surrogates, which are invalid in text, stay unchanged.
bool unescape(std::string_view text, const unicode::WordCharacters& words, std::string& out);

// The same for all but the bodies of escaped <syntaxhighlight ...>: they stay unchanged but lose their tags.
bool unescape_around_code(std::string_view text, const unicode::WordCharacters& words, std::string& out);

}  // namespace bertprep
