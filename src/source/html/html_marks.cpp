#include "source/html/html_marks.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "unicode/ascii.h"
#include "unicode/byte_search.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

// The elements of the HTML standard, and those it names as obsolete. Sorted.
constexpr auto kElements = std::to_array<std::string_view>(
    {"a",        "abbr",    "acronym",  "address",    "applet", "area",       "article",  "aside",    "audio",
     "b",        "base",    "bdi",      "bdo",        "big",    "blockquote", "body",     "br",       "button",
     "canvas",   "caption", "center",   "cite",       "code",   "col",        "colgroup", "data",     "datalist",
     "dd",       "del",     "details",  "dfn",        "dialog", "dir",        "div",      "dl",       "dt",
     "em",       "embed",   "fieldset", "figcaption", "figure", "font",       "footer",   "form",     "frame",
     "frameset", "h1",      "h2",       "h3",         "h4",     "h5",         "h6",       "head",     "header",
     "hgroup",   "hr",      "html",     "i",          "iframe", "img",        "input",    "ins",      "kbd",
     "label",    "legend",  "li",       "link",       "main",   "map",        "mark",     "marquee",  "math",
     "menu",     "meta",    "meter",    "nav",        "nobr",   "noframes",   "noscript", "object",   "ol",
     "optgroup", "option",  "output",   "p",          "param",  "picture",    "pre",      "progress", "q",
     "rb",       "rp",      "rt",       "rtc",        "ruby",   "s",          "samp",     "script",   "search",
     "section",  "select",  "slot",     "small",      "source", "span",       "strike",   "strong",   "style",
     "sub",      "summary", "sup",      "svg",        "table",  "tbody",      "td",       "template", "textarea",
     "tfoot",    "th",      "thead",    "time",       "title",  "tr",         "track",    "tt",       "u",
     "ul",       "var",     "video",    "wbr",        "xmp"});
static_assert(std::ranges::is_sorted(kElements));

constexpr auto kReferences = std::to_array<std::string_view>({"amp", "apos", "gt", "lt", "nbsp", "quot"});

// Corpora of language models mark sentences by <s> and </s> more often than pages strike text through.
constexpr std::string_view kSentenceMark = "s";
constexpr std::size_t kLongestName = 10;
constexpr std::size_t kLongestReference = 8;

// "name=value", or nothing: `<b and c>` compares.
bool are_attributes(std::string_view text) {
  const std::string_view rest = strip(text);
  return rest.empty() || rest == "/" || (rest.find('=') != std::string_view::npos && rest.front() != '=');
}

// The size of the tag that `text`, which starts with `<`, begins with; 0: none that is HTML.
std::size_t tag_at(std::string_view text) {
  const bool is_end = text.substr(1).starts_with('/');
  const std::size_t begin = is_end ? 2 : 1;
  std::size_t end = begin;
  while (end < text.size() && end - begin <= kLongestName && is_ascii_alphanumeric(text[end])) ++end;
  const std::string name = ascii_lower(text.substr(begin, end - begin));
  if (!is_html_element(name) || name == kSentenceMark) return 0;
  const std::size_t close = text.find_first_of("<>", end);
  if (close == std::string_view::npos || text[close] != '>') return 0;
  const std::string_view between = text.substr(end, close - end);
  if (is_end) return is_ascii_blank(between) ? close + 1 : 0;
  const bool is_separate = between.empty() || between.front() == '/' || is_ascii_blank(between.front());
  return is_separate && are_attributes(between) ? close + 1 : 0;
}

bool is_reference_at(std::string_view text) {
  const std::size_t end = text.substr(0, kLongestReference + 2).find(';');
  if (end == std::string_view::npos) return false;
  std::string_view name = text.substr(1, end - 1);
  if (!name.starts_with('#')) return std::ranges::find(kReferences, name) != kReferences.end();
  name.remove_prefix(1);
  const bool is_hexadecimal = name.starts_with('x') || name.starts_with('X');
  if (is_hexadecimal) name.remove_prefix(1);
  const std::string_view digits = is_hexadecimal ? "0123456789abcdefABCDEF" : "0123456789";
  return !name.empty() && name.find_first_not_of(digits) == std::string_view::npos;
}

// Looked for once, and not in a text that asks for none.
struct LastPlace {
  std::string_view text;
  std::string_view what;
  std::optional<std::size_t> place{};

  bool is_from(std::size_t at) {
    if (!place) place = text.rfind(what);
    return *place != std::string_view::npos && *place >= at;
  }
};

}  // namespace

bool is_html_element(std::string_view name) {
  return std::ranges::binary_search(kElements, name);
}

HtmlMarks html_marks_of(std::string_view text) {
  text = strip(text);
  bool has_marks = false, begins_with_one = false;
  std::size_t end_of_last = 0;  // tag
  LastPlace end_of_comments{text, "-->"}, end_of_tags{text, ">"};
  for (std::size_t at = find_any<'<', '&'>(text); at != std::string_view::npos;) {
    const std::string_view rest = text.substr(at);
    std::size_t size = 0;
    if (rest.front() == '&') {
      has_marks = has_marks || is_reference_at(rest);
    } else if (rest.starts_with("<!--")) {
      if (end_of_comments.is_from(at + 4)) size = rest.find("-->", 4) + 3;
    } else if (starts_in_any_case(rest, "<!doctype html")) {
      if (end_of_tags.is_from(at)) size = rest.find('>') + 1;
    } else {
      size = tag_at(rest);
    }
    if (size != 0) {
      begins_with_one = begins_with_one || at == 0;
      end_of_last = at + size;
    }
    at = find_any<'<', '&'>(text, at + std::max<std::size_t>(size, 1));
  }
  if (begins_with_one && end_of_last == text.size()) return HtmlMarks::kWhole;
  return has_marks || end_of_last != 0 ? HtmlMarks::kSome : HtmlMarks::kNone;
}

}  // namespace bertprep
