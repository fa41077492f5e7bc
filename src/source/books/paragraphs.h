// Lines of a book -> paragraphs, joining words divided at line ends.
#pragma once

#include <string>
#include <string_view>

namespace bertprep {

// The lines, stripped and without blank ones, joined by LF, as the reference reads them.
std::string stripped_lines(std::string_view book);

// The paragraphs, joined by LF. Lines end at LF.
//
// In a book that is wrapped (at most one line in ten is longer than 90 characters) a paragraph is the lines between
// blank lines, stripped and joined by a blank; otherwise each line is one. Verse and tables get no special treatment.
//
// A word divided at the end of a line by a soft hyphen (U+00AD) is joined. If divided by a hyphen between letters, it
// is joined without the hyphen if the book has the whole word more often than the hyphenated one, and otherwise with
// it: "half-" and "light" become "half-light". Before "and", "or", "und", "oder", "bis", "et", "ou" and "en", the
// hyphen replaces a part of the word ("Trost- und"), so a blank is kept.
std::string joined_paragraphs(std::string_view book);

}  // namespace bertprep
