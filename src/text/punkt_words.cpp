#include "text/punkt_words.h"

#include <algorithm>

#include "text/punkt_characters.h"

namespace bertprep {
namespace {

using punkt::is_a;
using punkt::space_bytes;

std::size_t run_bytes(std::string_view text, std::size_t at, char c) {
  return std::min(text.find_first_not_of(c, at), text.size()) - at;
}

// ". . ." and longer: the bytes from the first dot to the last, or 0. The reference looks for words line by
// line, so that LF is no space here.
std::size_t spaced_dots_bytes(std::string_view text, std::size_t at) {
  std::size_t end = at;
  std::size_t dots = 0;
  for (std::size_t i = at; i < text.size() && text[i] == '.';) {
    ++dots;
    end = ++i;
    if (i == text.size() || text[i] == '\n') break;
    const std::size_t space = space_bytes(text, i);
    if (space == 0) break;
    i += space;
  }
  return dots >= 3 ? end - at : 0;
}

// Bytes of the punctuation of several characters that starts at text[at], or 0.
std::size_t multi_punctuation_bytes(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c != '-' && c != '.') return 0;
  const std::size_t run = run_bytes(text, at, c);
  if (run >= 2) return run;
  return c == '.' ? spaced_dots_bytes(text, at) : 0;
}

bool ends_word(std::string_view text, std::size_t at) {
  return at >= text.size() || is_a(punkt::kNonWord, text[at]) || space_bytes(text, at) != 0 ||
         multi_punctuation_bytes(text, at) != 0;
}

std::size_t word_end(std::string_view text, std::size_t at) {
  do {
    ++at;
  } while (!ends_word(text, at) && !(text[at] == ',' && ends_word(text, at + 1)));
  return at;
}

std::size_t token_end(std::string_view text, std::size_t at) {
  if (const std::size_t bytes = multi_punctuation_bytes(text, at)) return at + bytes;
  return is_a(punkt::kNoWordStart, text[at]) ? at + 1 : word_end(text, at);
}

}  // namespace

bool PunktWords::next(std::string_view& word) {
  const std::size_t begin = punkt::skip_space(text_, at_);
  if (begin == text_.size()) return false;
  at_ = token_end(text_, begin);
  word = text_.substr(begin, at_ - begin);
  return true;
}

}  // namespace bertprep
