#include "source/books_source.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "bertprep/io/strip.h"
#include "bertprep/io/utf8.h"
#include "io/input_file.h"

namespace bertprep {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

void join_lines(std::string_view book, std::string& text) {
  text.clear();
  while (!book.empty()) {
    const std::size_t end = std::min(book.find('\n'), book.size());
    const std::string_view line = strip(book.substr(0, end));
    if (!text.empty() && !line.empty()) text += ' ';
    text += line;
    book.remove_prefix(std::min(end + 1, book.size()));
  }
}

}  // namespace

BooksSource::BooksSource(std::filesystem::path path, Rejects& rejects) : path_(std::move(path)), rejects_(rejects) {}

bool BooksSource::next(Document& document) {
  if (std::exchange(is_read_, true)) return false;
  const std::string bytes = read_file(path_);
  if (const auto fault = find_invalid_utf8(bytes)) {
    rejects_.add(path_, "invalid UTF-8 at byte " + std::to_string(*fault), bytes);
    return false;
  }
  std::string_view book = bytes;
  if (book.starts_with(kByteOrderMark)) book.remove_prefix(kByteOrderMark.size());
  join_lines(book, document.text);
  if (document.text.empty()) {
    rejects_.add(path_, "the book holds no text", bytes);
    return false;
  }
  document.title = path_.stem();
  return true;
}

}  // namespace bertprep
