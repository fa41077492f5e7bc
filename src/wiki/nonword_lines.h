// Lines without a word go: rules, lone punctuation, and one of two blank lines.
#pragma once

#include <string>
#include <string_view>

#include "wiki/word_characters.h"

namespace bertprep {

// True: `out` is the new text. False: nothing changes. From a line feed on, at least one character, none of them of a
// word, and the nearest line feed at a distance of two or more become one line feed; the search goes on behind it.
// Therefore a line feed that ends one such line does not begin the next.
bool drop_nonword_lines(std::string_view text, const WordCharacters& words, std::string& out);

}  // namespace bertprep
