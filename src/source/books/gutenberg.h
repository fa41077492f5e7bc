// Removes the frame that Project Gutenberg puts around a book: a header up to a line "*** START OF …", a licence from a
// line "*** END OF …" on; in the 1990s, "small print" before and a line "End of the Project Gutenberg Etext" after it.
#pragma once

#include <string>
#include <string_view>

namespace bertprep {

// The book without header, licence, marks and the paragraphs that say who typed it. A book goes from its start to the
// last line of stars that ends it, before the next start; a plain end within is only a mark of a volume. A book without
// such lines, or one that would become blank, is returned unchanged. Adds to `note` if more is cut at once than a frame
// has. `book` must have LF line ends.
std::string without_gutenberg_frame(std::string_view book, std::string& note);

// The lines by which Project Gutenberg separates a book from what it adds.
enum class GutenbergLine {
  kText,
  kStart,           // "*** START OF THE PROJECT GUTENBERG EBOOK X ***"
  kEnd,             // "*** END OF THE PROJECT GUTENBERG EBOOK X ***"
  kPlainEnd,        // "End of Project Gutenberg's X": before kEnd, at the end of an old book, or after a volume
  kSmallPrint,      // "***START**THE SMALL PRINT!**FOR PUBLIC DOMAIN ETEXTS**START***"
  kSmallPrintEnd,   // "*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*"
  kLicence,         // "*** START: FULL LICENSE ***"
  kLicenceEnd,      // "*** END: FULL LICENSE ***"
  kElectronicCopy,  // "<<THIS ELECTRONIC VERSION OF …", up to ">>": a note of the maker between plays
};

// Ignores case; of kPlainEnd, prose is told apart by the words after "Project Gutenberg".
GutenbergLine gutenberg_line(std::string_view line);

}  // namespace bertprep
