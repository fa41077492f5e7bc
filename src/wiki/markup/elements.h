// Elements removed with their content: <table>...</table>, <ref>...</ref>, <gallery>...</gallery> and the like.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unicode/properties/properties.h"

namespace bertprep {

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
  // True: `out` is the new text. False: nothing changes. Applies nested_drop's rules for each name of tag_names.h in
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

}  // namespace bertprep
