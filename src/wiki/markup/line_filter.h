// Which lines of a page are text; runs of characters in them.
#pragma once

#include "unicode/properties/properties.h"

namespace bertprep {

// Drops lines without a word: horizontal rules, lone punctuation, and one of two blank lines.
// True: `out` is the new text. False: nothing changes. A line feed, at least one character, none of them a word
// character, and the nearest line feed at a distance of two or more become one line feed; the search continues after
// it. So a line feed that ends one such line does not begin the next.
bool drop_nonword_lines(std::string_view text, const unicode::WordCharacters& words, std::string& out);

// Appends the lines of `text` that stay to `lines`, each ended by LF. The first line after a list and the first line of
// text of a section are always kept; there are no consecutive blank lines, except at the end of lists.
void filter_lines(std::string_view text, std::string& lines);

// Shortens runs of characters: double angle brackets, blanks, dots, commas.

// All functions: true: `out` is the new text. False: nothing changes.

// << -> U+00AB, >> -> U+00BB; TAB -> blank, several blanks -> one; four dots or more -> three.
bool shorten_runs(std::string_view text, std::string& out);
// Removes the blank of " ,:.)]U+00BB" and of "[(U+00AB " where these characters occur in exactly this sequence.
bool close_up_brackets(std::string_view text, std::string& spare, std::string& out);
// ,, -> , and then ,. -> .
bool shorten_commas(std::string_view text, std::string& spare, std::string& out);

}  // namespace bertprep
