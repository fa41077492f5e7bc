#include "wiki/clean/quotes.h"

#include <cstddef>

namespace bertprep::clean {
namespace {

std::size_t run_length(std::string_view line, std::size_t at) {
  const std::size_t end = line.find_first_not_of('\'', at);
  return (end == std::string_view::npos ? line.size() : end) - at;
}

// Apostrophes of a run that are text: all of one, one of four, those above five.
std::size_t text_of_run(std::size_t length) {
  if (length < 2) return length;
  if (length == 4) return 1;
  return length > 5 ? length - 5 : 0;
}

// Where an odd ''' hides an apostrophe: after a word of one letter, else after a longer word, else after a blank.
std::size_t find_hidden_apostrophe(std::string_view line) {
  std::size_t bold = 0;
  std::size_t italic = 0;
  std::size_t after_letter = std::string_view::npos;
  std::size_t after_word = std::string_view::npos;
  std::size_t after_blank = std::string_view::npos;
  for (std::size_t at = line.find("''"); at != std::string_view::npos; at = line.find("''", at)) {
    const std::size_t length = run_length(line, at);
    const std::size_t marks = length - text_of_run(length);
    bold += marks != 2;
    italic += marks != 3;
    if (marks == 3) {
      const char before = at > 0 ? line[at - 1] : ' ';
      const char earlier = at > 1 ? line[at - 2] : ' ';
      std::size_t& place = before == ' ' ? after_blank : earlier == ' ' ? after_letter : after_word;
      if (place == std::string_view::npos) place = at;
    }
    at += length;
  }
  if (bold % 2 == 0 || italic % 2 == 0) return std::string_view::npos;
  if (after_letter != std::string_view::npos) return after_letter;
  return after_word != std::string_view::npos ? after_word : after_blank;
}

}  // namespace

void append_without_quotes(std::string_view line, std::string& out) {
  std::size_t at = line.find("''");
  if (at == std::string_view::npos) {
    out.append(line);
    return;
  }
  const std::size_t hidden = find_hidden_apostrophe(line);
  std::size_t begin = 0;
  for (; at != std::string_view::npos; at = line.find("''", begin)) {
    out.append(line.substr(begin, at - begin));
    const std::size_t length = run_length(line, at);
    out.append(text_of_run(length) + (at == hidden ? 1 : 0), '\'');
    begin = at + length;
  }
  out.append(line.substr(begin));
}

}  // namespace bertprep::clean
