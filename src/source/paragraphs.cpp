#include "source/paragraphs.h"

#include <algorithm>

#include "io/strip.h"
#include "source/divided_words.h"

namespace bertprep {
namespace {

constexpr std::size_t kLongLine = 90;
constexpr std::size_t kLinesToALongOne = 10;
constexpr std::string_view kSoftHyphen = "\xC2\xAD";

template <class Use>
void for_each_stripped_line(std::string_view book, Use use) {
  while (!book.empty()) {
    const std::size_t end = std::min(book.find('\n'), book.size());
    use(strip(book.substr(0, end)));
    book.remove_prefix(std::min(end + 1, book.size()));
  }
}

std::size_t characters_of(std::string_view line) {
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), begins));
}

bool is_wrapped(std::string_view book) {
  std::size_t lines = 0;
  std::size_t long_lines = 0;
  for_each_stripped_line(book, [&](std::string_view line) {
    if (line.empty()) return;
    ++lines;
    if (line.size() > kLongLine && characters_of(line) > kLongLine) ++long_lines;
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
