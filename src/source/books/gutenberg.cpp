#include "source/books/gutenberg.h"

#include <algorithm>
#include <array>
#include <utility>

#include "unicode/ascii.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr std::size_t kMaxBytesBeforeName = 40;

template <std::size_t n>
bool begins_with_any(std::string_view text, const std::array<std::string_view, n>& begins) {
  return std::any_of(begins.begin(), begins.end(), [&](std::string_view begin) { return text.starts_with(begin); });
}

template <std::size_t n>
bool contains_any(std::string_view text, const std::array<std::string_view, n>& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

bool names_gutenberg(std::string_view words) {
  return words.find("gutenberg") != std::string_view::npos;
}

GutenbergLine line_of_stars(std::string_view words) {
  constexpr std::array<std::string_view, 3> kSmallPrintEnds = {"end*the small print", "end the small print",
                                                               "end*this is the small print"};
  if (words.starts_with("start of") && names_gutenberg(words)) return GutenbergLine::kStart;
  if (words.starts_with("end of") && names_gutenberg(words)) return GutenbergLine::kEnd;
  if (begins_with_any(words, kSmallPrintEnds)) return GutenbergLine::kSmallPrintEnd;
  if (words.starts_with("start*") && words.find("small print") < kMaxBytesBeforeName) return GutenbergLine::kSmallPrint;
  if (words.starts_with("start: full licen")) return GutenbergLine::kLicence;
  return words.starts_with("end: full licen") ? GutenbergLine::kLicenceEnd : GutenbergLine::kText;
}

// After "Project Gutenberg": "'s Works" or " EBook of Works", but not "'s first year", " came".
bool names_a_book(std::string_view rest) {
  constexpr std::array<std::string_view, 5> kBooks = {"ebook", "e-book", "etext", "e-text", "edition"};
  for (const std::string_view mark : {"'s ", "\xE2\x80\x99s ", "s "}) {
    if (!rest.starts_with(mark)) continue;
    rest.remove_prefix(mark.size());
    const bool is_lower = !rest.empty() && is_ascii_letter(rest.front()) && !is_ascii_upper(rest.front());
    return !is_lower || begins_with_any(ascii_lower(rest), kBooks);
  }
  return rest.empty() ||
         ((rest.front() == ' ' || rest.front() == '-') && begins_with_any(ascii_lower(rest.substr(1)), kBooks));
}

bool is_plain_end(std::string_view line, std::string_view lower) {
  constexpr std::array<std::string_view, 7> kEnds = {"end of ", "the end of ", "fin d", "ende ",
                                                     "einde ",  "fine d",      "fim d"};
  constexpr std::array<std::string_view, 4> kOfEtexts = {"end of this etext", "end of the etext", "end of this ebook",
                                                         "end of this e-text"};
  constexpr std::array<std::string_view, 5> kProjects = {"project ", "projekt ", "projet ", "proyecto ", "progetto "};
  constexpr std::string_view kName = "gutenberg";
  if (begins_with_any(lower, kOfEtexts)) return true;
  const std::size_t at = lower.substr(0, kMaxBytesBeforeName + kName.size()).find(kName);
  if (at == std::string_view::npos || !begins_with_any(lower, kEnds)) return false;
  const bool has_project = std::any_of(kProjects.begin(), kProjects.end(),
                                       [&](std::string_view word) { return lower.substr(0, at).ends_with(word); });
  return has_project && names_a_book(line.substr(at + kName.size()));
}

// Whether a paragraph after a start says who made the electronic text, or where else it is.
bool is_gutenberg_credit(std::string_view paragraph) {
  constexpr std::array<std::string_view, 12> kBegins = {
      "produced by",       "e-text prepared by", "etext prepared by",     "this etext was",
      "this e-text was",   "this ebook was",     "transcribed from the",  "transcribed by",
      "etext produced by", "e-text produced by", "text file produced by", "[this etext was"};
  constexpr std::array<std::string_view, 10> kBeginsBeforeName = {
      "note", "project gutenberg", "the project gutenberg", "this ", "transcri", "images", "html", "scanned", "credits",
      "http"};
  constexpr std::array<std::string_view, 5> kNames = {"project gutenberg", "gutenberg.org", "gutenberg.net",
                                                      "promo.net/pg", "pgdp.net"};
  const std::string words = ascii_lower(strip(paragraph));
  if (begins_with_any(words, kBegins)) return true;
  const std::size_t first = std::min(words.find_first_not_of("*[(_"), words.size());
  return begins_with_any(std::string_view(words).substr(first), kBeginsBeforeName) && contains_any(words, kNames);
}

// Whether a text after the end speaks of licences, rather than being more of the book.
bool is_about_licence(std::string_view text) {
  constexpr std::array<std::string_view, 6> kWords = {"gutenberg", "license", "licence", "etext", "e-text", "ebook"};
  return contains_any(ascii_lower(text), kWords);
}

// A mark may be followed by further lines of a long title, and by credits.
constexpr std::size_t kMaxMarkLines = 4;
constexpr std::size_t kMaxCredits = 6;
constexpr std::size_t kLongLineBytes = 60;
// The largest header and the longest licence, rounded up.
constexpr std::size_t kMaxHeaderBytes = 20'000;
constexpr std::size_t kMaxFrameBytes = 40'000;

struct Line {
  std::string_view text;  // with its line feed
  GutenbergLine kind = GutenbergLine::kText;
};

using Lines = std::span<const Line>;

std::vector<Line> lines_of(std::string_view book) {
  std::vector<Line> lines;
  while (!book.empty()) {
    const std::size_t feed = book.find('\n');
    const std::string_view text = book.substr(0, feed == std::string_view::npos ? book.size() : feed + 1);
    lines.push_back({text, gutenberg_line(text)});
    book.remove_prefix(text.size());
  }
  return lines;
}

bool is_blank(const Line& line) {
  return strip(line.text).empty();
}

std::string_view text_of(Lines lines) {
  if (lines.empty()) return {};
  const char* begin = lines.front().text.data();
  return {begin, static_cast<std::size_t>(lines.back().text.data() - begin) + lines.back().text.size()};
}

std::size_t first_of(Lines lines, GutenbergLine kind) {
  const auto found = std::find_if(lines.begin(), lines.end(), [&](const Line& line) { return line.kind == kind; });
  return static_cast<std::size_t>(found - lines.begin());
}

std::size_t last_of(Lines lines, GutenbergLine kind) {
  std::size_t at = lines.size();
  while (at > 0 && lines[at - 1].kind != kind) --at;
  return at == 0 ? lines.size() : at - 1;
}

// The lines of a mark of stars, of which the first one is given.
std::size_t lines_of_mark(Lines lines) {
  for (std::size_t i = 0; i < std::min(lines.size(), kMaxMarkLines) && !is_blank(lines[i]); ++i) {
    if (strip(lines[i].text).ends_with('*')) return i + 1;
  }
  return 1;
}

// The lines of a plain end: a long title continues.
std::size_t lines_of_plain_end(Lines lines) {
  std::size_t count = 1;
  while (count < std::min(lines.size(), kMaxMarkLines) && strip(lines[count - 1].text).size() >= kLongLineBytes &&
         !is_blank(lines[count]) && lines[count].kind == GutenbergLine::kText) {
    ++count;
  }
  return count;
}

// The paragraphs of credits, and the blank line after them.
std::size_t lines_of_credits(Lines lines) {
  std::size_t end = 0;
  for (std::size_t credits = 0; credits < kMaxCredits; ++credits) {
    std::size_t begin = end;
    while (begin < lines.size() && is_blank(lines[begin])) ++begin;
    std::size_t after = begin;
    while (after < lines.size() && !is_blank(lines[after]) && lines[after].kind == GutenbergLine::kText) ++after;
    if (!is_gutenberg_credit(text_of(lines.subspan(begin, after - begin)))) return end;
    end = after == lines.size() || !is_blank(lines[after]) ? after : after + 1;
  }
  return end;
}

// FrameRemover: the books of a file without their frames.
class FrameRemover {
 public:
  std::string remove(Lines file) {
    std::size_t start = first_of(file, GutenbergLine::kStart);
    if (start == file.size()) {
      add_book(file);
    } else {
      cut(file.first(start));
      file = file.subspan(start);
    }
    while (!file.empty() && file.front().kind == GutenbergLine::kStart) {
      file = file.subspan(lines_of_mark(file));
      const std::size_t next = first_of(file, GutenbergLine::kStart);
      const Lines book = file.first(next);
      add_book(book.subspan(lines_of_credits(book)));
      file = file.subspan(next);
    }
    return std::move(kept_);
  }

  std::size_t most_cut() const { return most_cut_; }

 private:
  void add_book(Lines book) {
    const std::size_t end = last_of(book, GutenbergLine::kEnd);
    const bool has_end = end != book.size();
    cut(book.subspan(end));
    book = book.first(end);
    begin_ = kept_.size();
    small_print_ = std::string::npos;
    const std::size_t last_plain_end = last_of(book, GutenbergLine::kPlainEnd);
    for (std::size_t i = 0; i < book.size();) {
      const Lines rest = book.subspan(i);
      const bool is_last = i == last_plain_end && !has_end;
      i += is_last && is_about_licence(text_of(rest.subspan(1))) ? cut(rest) : take(rest);
    }
  }

  // Returns how many lines it has taken.
  std::size_t take(Lines lines) {
    switch (lines.front().kind) {
      case GutenbergLine::kPlainEnd:
        return lines_of_plain_end(lines);
      case GutenbergLine::kEnd:
        return cut(lines.first(lines_of_inner_end(lines)));
      case GutenbergLine::kLicence:
        return cut(lines.first(std::min(first_of(lines, GutenbergLine::kLicenceEnd) + 1, lines.size())));
      case GutenbergLine::kElectronicCopy:
        return lines_of_electronic_copy(lines);
      case GutenbergLine::kSmallPrint:
        small_print_ = kept_.size();
        break;
      case GutenbergLine::kSmallPrintEnd:
        return end_small_print(lines);
      default:
        break;
    }
    kept_ += lines.front().text;
    return 1;
  }

  // A licence may follow.
  static std::size_t lines_of_inner_end(Lines lines) {
    const Lines rest = lines.subspan(1);
    const std::size_t licence_end = first_of(rest, GutenbergLine::kLicenceEnd);
    if (licence_end < first_of(rest, GutenbergLine::kEnd)) return licence_end + 2;
    return lines_of_mark(lines);
  }

  // Without its end, only the line is left out.
  static std::size_t lines_of_electronic_copy(Lines lines) {
    for (std::size_t i = 0; i < lines.size() && !is_blank(lines[i]); ++i) {
      if (lines[i].text.find(">>") != std::string_view::npos) return i + 1;
    }
    return 1;
  }

  // What is before it is a header, unless it has the length of a volume.
  std::size_t end_small_print(Lines lines) {
    const std::size_t print = small_print_ == std::string::npos ? kept_.size() : small_print_;
    if (print - begin_ <= kMaxHeaderBytes) {
      kept_.resize(begin_);
    } else {
      kept_.resize(print);
    }
    small_print_ = std::string::npos;
    const std::size_t mark = lines_of_mark(lines);
    return mark + lines_of_credits(lines.subspan(mark));
  }

  std::size_t cut(Lines lines) {
    most_cut_ = std::max(most_cut_, text_of(lines).size());
    return lines.size();
  }

  std::string kept_;
  std::size_t begin_ = 0;                        // of the current book in kept_
  std::size_t small_print_ = std::string::npos;  // of the current book in kept_
  std::size_t most_cut_ = 0;
};

}  // namespace

GutenbergLine gutenberg_line(std::string_view line) {
  line = strip(line);
  if (line.empty()) return GutenbergLine::kText;
  const std::string lower = ascii_lower(line);
  const std::size_t words = lower.find_first_not_of("* ");
  if (line.front() == '*' && words != std::string::npos) return line_of_stars(std::string_view(lower).substr(words));
  if (lower.starts_with("<<this electronic version of")) return GutenbergLine::kElectronicCopy;
  return is_plain_end(line, lower) ? GutenbergLine::kPlainEnd : GutenbergLine::kText;
}

std::string without_gutenberg_frame(std::string_view book, std::string& note) {
  const std::vector<Line> lines = lines_of(book);
  FrameRemover remover;
  std::string kept = remover.remove(lines);
  if (strip(kept).empty()) return std::string(book);
  if (remover.most_cut() > kMaxFrameBytes) {
    const std::string bytes = std::to_string(remover.most_cut());
    append_part("much is cut as the frame of Project Gutenberg (" + bytes + " bytes; `keep_gutenberg` keeps them)",
                "; ", note);
  }
  return kept;
}

}  // namespace bertprep
