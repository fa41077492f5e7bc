// Terms of a formula side by side: brackets and blanks where one would take a part of another.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bertprep::clean {

// What a line ends with, as far as it matters to what follows: 1/2 before x must become (1/2)x.
enum class Tail { kPlain, kFraction, kRoot, kScript, kWord };

struct Line {
  std::string text;
  Tail tail = Tail::kPlain;
  std::size_t tail_begin = 0;

  bool is_fraction() const { return tail == Tail::kFraction && tail_begin == 0; }
};

Line plain(std::string_view text);

// With combining marks.
bool is_letter_or_digit(char32_t c);

// Digits alone.
bool is_number(std::string_view text);

// Letters and digits, which need no brackets; `is_strict`: unless a letter follows a digit, as in 1/(2π).
bool is_simple(std::string_view text, bool is_strict);

// In brackets unless simple.
std::string grouped(std::string_view text, bool is_strict);

// Appends `next` to `line`.
void join(Line& line, Line next);

}  // namespace bertprep::clean
