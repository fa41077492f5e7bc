#include "source/books/gutenberg.h"

#include <algorithm>
#include <array>
#include <utility>

#include "unicode/ascii.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

// A mark may be followed by further lines of a long title, and by a credit.
constexpr int kMaxMarkLines = 4;
constexpr std::size_t kMaxBytesBeforeName = 40;

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// The words after the stars of a mark; empty if there are no stars.
std::string words_after_stars(std::string_view line) {
  const std::string_view text = strip(line);
  const std::size_t words = text.find_first_not_of("* ");
  return text.starts_with('*') && words != std::string_view::npos ? ascii_lower(text.substr(words)) : "";
}

bool names_gutenberg(std::string_view words) {
  return words.find("gutenberg") != std::string_view::npos;
}

bool is_small_print_end(std::string_view words) {
  return words.starts_with("end*the small print") || words.starts_with("end the small print") ||
         words.starts_with("end*this is the small print");
}

bool is_start(std::string_view line) {
  const std::string words = words_after_stars(line);
  return (words.starts_with("start of") && names_gutenberg(words)) || is_small_print_end(words);
}

bool is_end(std::string_view line) {
  const std::string words = words_after_stars(line);
  if (words.starts_with("end of") && names_gutenberg(words)) return true;
  const std::string plain = ascii_lower(strip(line));
  const std::string_view begin = std::string_view(plain).substr(0, kMaxBytesBeforeName);
  return (begin.starts_with("end of") || begin.starts_with("the end of")) &&
         begin.find("project gutenberg") != std::string_view::npos;
}

// Skips the lines of a mark after its first one.
void skip_rest_of_mark(std::string_view mark, std::string_view& text) {
  for (int lines = 1; lines < kMaxMarkLines && !strip(mark).ends_with('*'); ++lines) {
    std::string_view ahead = text;
    mark = take_line(ahead);
    if (strip(mark).empty()) return;
    if (strip(mark).ends_with('*')) text = ahead;
  }
}

bool is_credit(std::string_view line) {
  constexpr std::array<std::string_view, 12> kBegins = {
      "produced by",       "e-text prepared by", "etext prepared by",     "this etext was",
      "this e-text was",   "this ebook was",     "transcribed from the",  "transcribed by",
      "etext produced by", "e-text produced by", "text file produced by", "[this etext was"};
  const std::string words = ascii_lower(strip(line));
  return std::any_of(kBegins.begin(), kBegins.end(), [&](std::string_view begin) { return words.starts_with(begin); });
}

// Skips the first paragraph if it says who made the electronic text.
void skip_credit(std::string_view& text) {
  std::string_view ahead = text;
  std::string_view line = take_line(ahead);
  while (strip(line).empty() && !ahead.empty()) line = take_line(ahead);
  if (!is_credit(line)) return;
  while (!strip(line).empty() && !ahead.empty()) line = take_line(ahead);
  text = strip(line).empty() ? ahead : std::string_view{};
}

class FrameRemover {
 public:
  explicit FrameRemover(std::string_view book) : rest_(book), begin_(book) {}

  std::string remove() {
    while (!rest_.empty()) {
      const std::string_view here = rest_;
      const std::string_view line = take_line(rest_);
      if (is_start(line)) {
        start(line, here);
      } else if (is_inside_ && is_end(line)) {
        keep_up_to(here);
        is_inside_ = false;
      }
    }
    if (is_inside_) keep_up_to(rest_);
    return std::move(kept_);
  }

 private:
  // Text before a start is a header, unless it follows the start of another book. Small print always is.
  void start(std::string_view line, std::string_view here) {
    if (has_start_ && is_inside_ && !is_small_print_end(words_after_stars(line))) keep_up_to(here);
    skip_rest_of_mark(line, rest_);
    skip_credit(rest_);
    begin_ = rest_;
    is_inside_ = true;
    has_start_ = true;
  }

  void keep_up_to(std::string_view end) {
    kept_ += begin_.substr(0, static_cast<std::size_t>(begin_.size() - end.size()));
  }

  std::string_view rest_;   // not yet read
  std::string_view begin_;  // the current book and all after it
  bool is_inside_ = true;   // of a book
  bool has_start_ = false;
  std::string kept_;
};

}  // namespace

std::string without_gutenberg_frame(std::string_view book) {
  std::string kept = FrameRemover(book).remove();
  return strip(kept).empty() ? std::string(book) : kept;
}

}  // namespace bertprep
