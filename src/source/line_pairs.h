// line_pairs_of: whether the lines of a text are broken to fit a width, as those of books and mails are.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace bertprep {

// Pairs of lines that follow each other. Those of several texts can be added.
struct LinePairs {
  std::size_t all = 0;
  std::size_t wrapped = 0;
  std::size_t ended = 0;  // the first line ends a sentence

  LinePairs& operator+=(const LinePairs& other) {
    all += other.all;
    wrapped += other.wrapped;
    ended += other.ended;
    return *this;
  }

  bool are_wrapped() const;
  bool end_sentences() const;
  // How many lines neither end a sentence nor are full: headings, items of lists, verse.
  std::size_t open() const { return all - ended - wrapped; }
};

// The lines of `text`, which end at LF.
std::vector<std::string_view> lines_of(std::string_view text);

// In a wrapped pair, the first line does not end a sentence, and has no room for the first word of the second. Lines of
// a list have room, and sentences end.
LinePairs line_pairs_of(std::span<const std::string_view> lines);

}  // namespace bertprep
