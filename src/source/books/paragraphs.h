// Lines of a book -> paragraphs, with the words joined that line ends divide.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace bertprep {

// Words that are divided at the ends of lines.

// How two lines are put together.
enum class LineJoin {
  kBlank,       // with a blank
  kHyphen,      // without one, as a hyphen or dash stays
  kDropHyphen,  // without the hyphen at the end of the first
};

class DividedWords {
 public:
  // Counts the words of `book` that decide: those whose parts stand at the ends of its lines.
  explicit DividedWords(std::string_view book);

  // `line` and `next` are stripped and not empty.
  LineJoin join_of(std::string_view line, std::string_view next) const;

 private:
  void want_words(std::string_view book);
  void count_words(std::string_view book);
  std::uint64_t count_of(const std::string& word) const;

  std::unordered_map<std::string, std::uint64_t> counts_;  // of words in lower case (ASCII)
};

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
