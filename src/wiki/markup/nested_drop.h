// Nested drop: which spans fall when elements that may be nested are removed with all they hold.
//
// Not a stack: openings and closings are paired as the reference does, so that one opening without a closing may
// delete everything up to the last closing (docs/formats/wiki-text.md). Closings without an opening survive.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bertprep {

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

}  // namespace bertprep
