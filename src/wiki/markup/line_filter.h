// Which lines of a page are text.
#pragma once

#include <string>
#include <string_view>

#include "wiki/markup/word_characters.h"

namespace bertprep {

// Drops lines without a word: rules, lone punctuation, and one of two blank lines.
// True: `out` is the new text. False: nothing changes. From a line feed on, at least one character, none of them of a
// word, and the nearest line feed at a distance of two or more become one line feed; the search goes on behind it.
// Therefore a line feed that ends one such line does not begin the next.
bool drop_nonword_lines(std::string_view text, const WordCharacters& words, std::string& out);

// Appends the lines of `text` that stay to `lines`, each ended by LF. The first line behind a list is kept whatever it
// is, and so is the first line of text of a section; blank lines do not follow each other, unless lists end in them.
void filter_lines(std::string_view text, std::string& lines);

}  // namespace bertprep
