// The lines by which Project Gutenberg separates a book from what it adds.
#pragma once

#include <string_view>

namespace bertprep {

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

// Whether a paragraph after a start says who made the electronic text, or where else it is.
bool is_gutenberg_credit(std::string_view paragraph);

// Whether a text after the end speaks of licences, rather than being more of the book.
bool is_about_licence(std::string_view text);

}  // namespace bertprep
