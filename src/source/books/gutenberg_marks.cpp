#include "source/books/gutenberg_marks.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

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

bool is_about_licence(std::string_view text) {
  constexpr std::array<std::string_view, 6> kWords = {"gutenberg", "license", "licence", "etext", "e-text", "ebook"};
  return contains_any(ascii_lower(text), kWords);
}

}  // namespace bertprep
