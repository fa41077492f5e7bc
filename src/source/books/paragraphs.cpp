#include "source/books/paragraphs.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>

#include "unicode/ascii.h"
#include "unicode/code_points.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr std::string_view kSoftHyphen = "\xC2\xAD";

// Every character beyond ASCII counts as a letter: words are only compared. General punctuation (U+2000-206F, in UTF-8
// E2 80 and E2 81), such as dashes and quotation marks, does not.
bool is_word_byte(char c) {
  return is_ascii_letter(c) || !is_ascii(c);
}

std::size_t punctuation_bytes(std::string_view text) {
  return text.size() >= 3 && (text.starts_with("\xE2\x80") || text.starts_with("\xE2\x81")) ? 3 : 0;
}

std::string_view last_word(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && is_word_byte(text[begin - 1])) --begin;
  for (std::size_t at = begin; at < text.size(); ++at) {
    if (punctuation_bytes(text.substr(at)) != 0) begin = at + 3;
  }
  return text.substr(begin);
}

std::string_view first_word(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_word_byte(text[end]) && punctuation_bytes(text.substr(end)) == 0) ++end;
  return text.substr(0, end);
}

struct DividedWord {
  std::string first;
  std::string second;

  std::string whole() const { return first + second; }
  std::string hyphened() const { return first + "-" + second; }
};

std::optional<DividedWord> divided_word(std::string_view line, std::string_view next) {
  if (!line.ends_with('-')) return std::nullopt;
  DividedWord word{ascii_lower(last_word(line.substr(0, line.size() - 1))), ascii_lower(first_word(next))};
  if (word.first.empty() || word.second.empty()) return std::nullopt;
  return word;
}

bool leaves_part_open(const std::string& word) {
  constexpr std::array<std::string_view, 8> kWords = {"and", "or", "und", "oder", "bis", "et", "ou", "en"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

template <class Use>
void for_each_stripped_line(std::string_view book, Use use) {
  while (!book.empty()) use(strip(take_part(book, '\n')));
}

template <class Use>
void for_each_line_pair(std::string_view book, Use use) {
  std::string_view before;
  for_each_stripped_line(book, [&](std::string_view line) {
    if (!before.empty() && !line.empty()) use(before, line);
    before = line;
  });
}

// Words as keys: letters, and hyphens between them.
template <class Use>
void for_each_word(std::string_view text, Use use) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::string_view word = first_word(text.substr(at));
    if (word.empty()) {
      at += std::max<std::size_t>(punctuation_bytes(text.substr(at)), 1);
      continue;
    }
    std::size_t end = at + word.size();
    while (end + 1 < text.size() && text[end] == '-' && is_word_byte(text[end + 1])) {
      const std::string_view part = first_word(text.substr(end + 1));
      if (part.empty()) break;
      end += 1 + part.size();
    }
    use(text.substr(at, end - at));
    at = end;
  }
}

// How to join two lines.
enum class LineJoin {
  kBlank,       // with a blank
  kHyphen,      // without a blank: the hyphen or dash stays
  kDropHyphen,  // without the hyphen at the end of the first line
};

class DividedWords {
 public:
  // Counts the words of `book` that matter: those with parts at the ends of its lines.
  explicit DividedWords(std::string_view book) {
    want_words(book);
    if (!counts_.empty()) count_words(book);
  }

  // `line` and `next` must be stripped and not empty.
  LineJoin join_of(std::string_view line, std::string_view next) const {
    if (line.ends_with(kSoftHyphen)) return LineJoin::kDropHyphen;
    const auto word = divided_word(line, next);
    if (!word || leaves_part_open(word->second)) return LineJoin::kBlank;
    return count_of(word->whole()) > count_of(word->hyphened()) ? LineJoin::kDropHyphen : LineJoin::kHyphen;
  }

 private:
  void want_words(std::string_view book) {
    for_each_line_pair(book, [this](std::string_view line, std::string_view next) {
      const auto word = divided_word(line, next);
      if (!word) return;
      counts_[word->whole()] = 0;
      counts_[word->hyphened()] = 0;
    });
  }

  void count_words(std::string_view book) {
    for_each_word(book, [this](std::string_view word) {
      const auto found = counts_.find(ascii_lower(word));
      if (found != counts_.end()) ++found->second;
    });
  }

  std::uint64_t count_of(const std::string& word) const {
    const auto found = counts_.find(word);
    return found == counts_.end() ? 0 : found->second;
  }

  std::unordered_map<std::string, std::uint64_t> counts_;  // keys in lower case (ASCII)
};

constexpr std::int64_t kLongLine = 90;
constexpr std::size_t kLinesToALongOne = 10;

bool is_wrapped(std::string_view book) {
  std::size_t lines = 0;
  std::size_t long_lines = 0;
  for_each_stripped_line(book, [&](std::string_view line) {
    if (line.empty()) return;
    ++lines;
    if (unicode::character_count(line) > kLongLine) ++long_lines;
  });
  return kLinesToALongOne * long_lines <= lines;
}

void append_line(LineJoin join, std::string_view line, std::string& text) {
  if (join == LineJoin::kDropHyphen) {
    text.resize(text.size() - (text.ends_with(kSoftHyphen) ? kSoftHyphen.size() : 1));
  } else if (join == LineJoin::kBlank) {
    text += ' ';
  }
  text += line;
}

}  // namespace

std::string stripped_lines(std::string_view book) {
  std::string text;
  for_each_stripped_line(book, [&](std::string_view line) {
    if (!text.empty() && !line.empty()) text += '\n';
    text += line;
  });
  return text;
}

std::string joined_paragraphs(std::string_view book) {
  if (!is_wrapped(book)) return stripped_lines(book);
  const DividedWords words(book);
  std::string text;
  std::string_view before;
  for_each_stripped_line(book, [&](std::string_view line) {
    if (!line.empty() && !before.empty()) {
      append_line(words.join_of(before, line), line, text);
    } else {
      if (!line.empty() && !text.empty()) text += '\n';
      text += line;
    }
    before = line;
  });
  return text;
}

}  // namespace bertprep
