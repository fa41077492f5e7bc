#include "wiki/clean/apostrophes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

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

// What stands before a run of marks, up to the run before it.
enum class Before : std::uint8_t { kLetter, kWord, kBlank };

Before before_marks(std::string_view text) {
  if (text.ends_with(' ')) return Before::kBlank;
  const bool is_letter = text.size() > 1 && text[text.size() - 2] == ' ';
  return is_letter ? Before::kLetter : Before::kWord;
}

struct MarkCounts {
  std::size_t bold = 0;
  std::size_t italic = 0;
};

// Calls take(begin of the text before, begin of the run, length of its text) for each run.
template <typename Take>
MarkCounts count_marks(std::string_view line, const Take& take) {
  MarkCounts counts;
  std::size_t begin = 0;
  for (std::size_t at = line.find("''"); at != std::string_view::npos; at = line.find("''", begin)) {
    const std::size_t length = run_length(line, at);
    const std::size_t marks = length - text_of_run(length);
    counts.bold += marks != 2;
    counts.italic += marks != 3;
    if (marks == 3) take(begin, at, length - marks);
    begin = at + length;
  }
  return counts;
}

// Where an odd ''' hides an apostrophe: after a word of one letter, else after a longer word, else after a blank.
std::size_t find_hidden_apostrophe(std::string_view line) {
  std::array<std::size_t, 3> places{line.npos, line.npos, line.npos};
  const auto take = [&](std::size_t begin, std::size_t at, std::size_t text) {
    // The run's own apostrophes are text before its marks.
    std::size_t& place = places[static_cast<std::size_t>(before_marks(line.substr(begin, at + text - begin)))];
    if (place == line.npos) place = at;
  };
  const MarkCounts counts = count_marks(line, take);
  if (counts.bold % 2 == 0 || counts.italic % 2 == 0) return line.npos;
  return *std::min_element(places.begin(), places.end(),
                           [&](std::size_t a, std::size_t b) { return a != line.npos && b == line.npos; });
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

bool closes_its_quotes(std::string_view text) {
  const MarkCounts counts = count_marks(text, [](std::size_t, std::size_t, std::size_t) {});
  return counts.bold % 2 == 0 && counts.italic % 2 == 0 && text.find('\n') == std::string_view::npos;
}

}  // namespace bertprep::clean
