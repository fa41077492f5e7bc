// Which lines of a page are text; runs of characters in them.
#pragma once

#include <string>
#include <string_view>

#include "unicode/properties/properties.h"

namespace bertprep {

// Drops lines without a word: rules, lone punctuation, and one of two blank lines.
// True: `out` is the new text. False: nothing changes. From a line feed on, at least one character, none of them of a
// word, and the nearest line feed at a distance of two or more become one line feed; the search continues after it.
// Therefore a line feed that ends one such line does not begin the next.
bool drop_nonword_lines(std::string_view text, const unicode::WordCharacters& words, std::string& out);

// Appends the lines of `text` that stay to `lines`, each ended by LF. The first line behind a list is kept whatever it
// is, and so is the first line of text of a section; blank lines do not follow each other, unless lists end in them.
void filter_lines(std::string_view text, std::string& lines);

// Runs of characters: double angle brackets, blanks, dots, commas.

// All: true: `out` is the new text. False: nothing changes.

// << -> U+00AB, >> -> U+00BB; TAB -> blank, several blanks -> one; four dots or more -> three.
bool shorten_runs(std::string_view text, std::string& out);
// The blank in " ,:.)]U+00BB" and in "[(U+00AB " goes where all these characters stand together.
bool close_up_brackets(std::string_view text, std::string& spare, std::string& out);
// ,, -> , and then ,. -> .
bool shorten_commas(std::string_view text, std::string& spare, std::string& out);

}  // namespace bertprep
