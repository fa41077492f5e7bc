// Tags: their names and what happens to them; elements removed with their content, as <table>...</table>; spans between
// tags, and behaviour switches, that are dropped.
#pragma once

#include <array>
#include <optional>

#include "unicode/properties/properties.h"

namespace bertprep {

// Elements removed with their content, in this order.
inline constexpr std::string_view kDroppedElements[] = {
    "gallery",    "timeline", "noinclude", "pre",    "table",  "tr",     "td",       "th",
    "caption",    "div",      "form",      "input",  "select", "option", "textarea", "ul",
    "li",         "ol",       "dl",        "dt",     "dd",     "menu",   "dir",      "ref",
    "references", "img",      "imagemap",  "source", "small",  "sub",    "sup",      "indicator"};
// Tags removed if self-closing: <br/>.
inline constexpr std::string_view kSelfClosingTags[] = {"br", "hr", "nobr", "ref", "references", "nowiki"};
// Tags that are removed while their content stays.
inline constexpr std::string_view kIgnoredTags[] = {
    "abbr", "b",   "big", "blockquote", "center", "cite", "em",     "font",   "h1", "h2", "h3",  "h4", "hiero",
    "i",    "kbd", "p",   "plaintext",  "s",      "span", "strike", "strong", "tt", "u",  "var", "a"};

struct TagClass {
  std::uint8_t dropped = 0;  // index in kDroppedElements, from 1; 0: not one of them
  bool is_self_closing = false;
  bool is_ignored = false;

  bool operator==(const TagClass&) const = default;
};

// Of a whole name; ignores the case of ASCII letters.
TagClass tag_class(std::string_view name);

// The end of the letters and digits of ASCII that begin at `from`: a tag's name.
inline std::size_t end_of_tag_name(std::string_view text, std::size_t from) {
  const auto is_of_name = [](char c) {
    const auto small = static_cast<unsigned char>(c | 0x20);
    return (small >= 'a' && small <= 'z') || (c >= '0' && c <= '9');
  };
  while (from < text.size() && is_of_name(text[from])) ++from;
  return from;
}

// Caches the first position from `from` on that `find` returns: called with ascending positions, it scans every byte
// only once.
template <typename Find>
class NextPlace {
 public:
  explicit NextPlace(Find find) : find_(find) {}

  // npos if there is none.
  std::size_t at_or_after(std::size_t from) {
    if (!is_known_ || place_ < from) place_ = find_(from);
    is_known_ = true;
    return place_;
  }

 private:
  Find find_;
  std::size_t place_ = 0;
  bool is_known_ = false;
};

// Nested drop: the spans to remove when nested elements are removed with their content.
//
// Not a stack: openings and closings are paired as in the reference, so one unclosed opening may delete everything up
// to the last closing (docs/formats/wiki-text.md). Closings without an opening survive.

// text[begin, end).
struct MarkupSpan {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool operator==(const MarkupSpan&) const = default;
};

// `opening(from)` and `closing(from)` return the first one that begins at `from` or later, or nothing; both are called
// with ascending positions only, so that the total time is linear if theirs is. The spans are in the order of the text.
template <typename Opening, typename Closing>
void find_nested(Opening opening, Closing closing, std::vector<MarkupSpan>& spans) {
  spans.clear();
  std::optional<MarkupSpan> next = opening(std::size_t{0});
  if (!next) return;
  MarkupSpan start = *next;
  std::optional<MarkupSpan> end = closing(start.end);
  for (std::size_t depth = 0; end;) {
    next = opening(next->end);
    if (!next) {
      for (; depth > 0; --depth) {
        const std::optional<MarkupSpan> further = closing(end->end);
        if (!further) break;
        end = further;
      }
      spans.push_back({start.begin, end->end});
      return;
    }
    bool opened_inside = true;
    while (end->end < next->begin) {
      if (depth == 0) {
        spans.push_back({start.begin, end->end});
        start = *next;
        end = closing(next->end);
        opened_inside = false;
        break;
      }
      --depth;
      const std::size_t last = end->end;
      end = closing(last);
      if (!end) {
        const std::size_t begin = spans.empty() ? start.begin : spans.front().begin;
        spans.assign(1, {begin, last});
        return;
      }
    }
    if (opened_inside) ++depth;
  }
}

// Deletes {{...}} (of kTemplates) or {|...|}. True: `out` is the new text. False: nothing was deleted.
enum class DropPair : bool { kTemplates, kTables };
bool drop_nested(DropPair pair, std::string_view text, std::vector<MarkupSpan>& spans, std::string& out);

class Elements {
 public:
  // True: `out` is the new text. False: nothing changes. Applies nested_drop's rules for each of kDroppedElements in
  // turn to the previous result, in which separate parts may have formed a new tag. An opening tag with a / among its
  // attributes counts as text.
  bool drop(std::string_view text, const unicode::WordCharacters& words, std::string& out);

 private:
  struct Tag {
    MarkupSpan span;
    std::uint8_t element;  // as in TagClass
    bool is_closing;
  };

  void find_tags(std::string_view text, std::size_t first_element, const unicode::WordCharacters& words);
  bool drop_element(std::size_t element, std::string_view text, std::string& out);

  std::vector<Tag> tags_;
  std::uint64_t opened_ = 0, closed_ = 0;  // one bit per element
  std::vector<MarkupSpan> spans_;
  std::string spare_;
};

// True: `out` is the new text. False: nothing changes. Spans are found in the original text; of two that overlap, the
// one that begins first is dropped.
bool drop_spans(std::string_view text, const unicode::WordCharacters& words, std::string& out);

// Behaviour switches: __NOTOC__ and the like are deleted.

// True: `out` is the new text. False: nothing changes.
bool drop_switches(std::string_view text, std::string& out);

}  // namespace bertprep
