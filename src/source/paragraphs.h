// Lines of a book -> paragraphs.
#pragma once

#include <string>
#include <string_view>

namespace bertprep {

// The lines, stripped and without blank ones, joined by LF, as the reference takes them.
std::string stripped_lines(std::string_view book);

// The paragraphs, joined by LF. Lines end at LF.
//
// In a book that is wrapped (at most one line in ten is longer than 90 characters) a paragraph is the lines between
// blank lines, stripped and joined by a blank; otherwise each line is one. Verse and tables are lines like others.
//
// A word that is divided at the end of a line: with a soft hyphen (U+00AD), its parts are joined. With a hyphen between
// letters, they are joined without it where the book has the whole word elsewhere more often than the word with a
// hyphen; and otherwise with it, so that "half-" and "light" become "half-light". In front of "and", "or", "und",
// "oder", "bis", "et", "ou" and "en" the hyphen stands for a part that follows ("Trost- und"): a blank is kept.
std::string joined_paragraphs(std::string_view book);

}  // namespace bertprep
