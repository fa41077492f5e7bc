// Elements that go with all they hold: <table>...</table>, <ref>...</ref>, <gallery>...</gallery> and their like.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unicode/properties/properties.h"

namespace bertprep {

// Nested drop: which spans fall when elements that may be nested are removed with all they hold.
//
// Not a stack: openings and closings are paired as the reference does, so that one opening without a closing may
// delete everything up to the last closing (docs/formats/wiki-text.md). Closings without an opening survive.

// text[begin, end).
struct MarkupSpan {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool operator==(const MarkupSpan&) const = default;
};

// `opening(from)` and `closing(from)` give the first one that begins at `from` or later, or nothing; both are asked
// with growing positions only, so that the whole takes linear time when they do. The spans are in the order of the
// text.
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

// Deletes {{...}} (of kTemplates) or {|...|}. True: `out` is the new text. False: nothing is deleted.
enum class DropPair : bool { kTemplates, kTables };
bool drop_nested(DropPair pair, std::string_view text, std::vector<MarkupSpan>& spans, std::string& out);

class Elements {
 public:
  // True: `out` is the new text. False: nothing changes. The names of tag_names.h are taken one after the other, each
  // with nested_drop's rules, on what the one before left: what stood apart may form a new tag. An opening tag with a /
  // among its attributes counts as text.
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
  std::uint64_t opened_ = 0, closed_ = 0;  // a bit for each element
  std::vector<MarkupSpan> spans_;
  std::string spare_;
};

}  // namespace bertprep
