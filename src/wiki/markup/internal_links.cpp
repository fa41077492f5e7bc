#include "wiki/markup/internal_links.h"

#include <cstddef>

#include "io/strip.h"
#include "wiki/markup/edits.h"
#include "wiki/markup/markup_bytes.h"

namespace bertprep {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

bool is_kept_prefix(std::string_view prefix) {
  return prefix == "w" || prefix == "wiktionary" || prefix == "wikt";
}

bool is_dropped(std::string_view title) {
  const std::size_t colon = title.find(':');
  if (colon == kNone) return false;
  if (colon > 0) return !is_kept_prefix(title.substr(0, colon));
  const std::size_t second = title.find(':', 1);
  return second != kNone && second > 1 && !is_kept_prefix(title.substr(1, second - 1));
}

// The next [[ or ]].
std::size_t find_bracket(std::string_view text, std::size_t from) {
  return find_bytes(text, from,
                    [](ByteBlock here, ByteBlock next) { return ((here == '[') | (here == ']')) & (here == next); });
}

}  // namespace

std::string_view InternalLinks::label_of(std::string_view text, MarkupSpan link) const {
  const std::size_t inner = link.begin + 2, inner_end = link.end - 2;
  const std::string_view whole = text.substr(inner, inner_end - inner);
  const std::size_t first_bar = whole.find('|');
  if (first_bar == kNone) return is_dropped(whole) ? std::string_view() : whole;
  if (is_dropped(strip_end(whole.substr(0, first_bar)))) return {};
  // The label begins after the last | before a nested link, as long as one stands there.
  std::size_t bar = inner + first_bar, cursor = bar + 1;
  for (const MarkupSpan& nested : nested_) {
    if (nested.begin > cursor) {
      const std::size_t last = text.substr(cursor, nested.begin - cursor).rfind('|');
      if (last != kNone) bar = cursor + last;
    }
    cursor = nested.end;
  }
  return strip(text.substr(bar + 1, inner_end - bar - 1));
}

bool InternalLinks::replace(std::string_view text, std::string& out) {
  Edits edits(text, out);
  for (std::size_t begin = find_pair(text, '[', '['); begin != kNone;) {
    nested_.clear();
    std::size_t depth = 1, nested_begin = 0, at = begin + 2;
    while (depth > 0) {
      at = find_bracket(text, at);
      if (at == kNone) return edits.finish();
      if (text[at] == '[') {
        if (depth++ == 1) nested_begin = at;
      } else if (--depth == 1) {
        nested_.push_back({nested_begin, at + 2});
      }
      at += 2;
    }
    edits.replace(begin, at, label_of(text, {begin, at}));
    begin = find_pair(text, '[', '[', at);
  }
  return edits.finish();
}

}  // namespace bertprep
