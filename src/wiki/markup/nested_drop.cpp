#include "wiki/markup/nested_drop.h"

#include "wiki/markup/edits.h"
#include "wiki/markup/markup_bytes.h"

namespace bertprep {

bool drop_nested(DropPair pair, std::string_view text, std::vector<MarkupSpan>& spans, std::string& out) {
  const char second = pair == DropPair::kTemplates ? '{' : '|';
  const char first_of_closing = pair == DropPair::kTemplates ? '}' : '|';
  const auto find = [text](char first, char after, std::size_t from) -> std::optional<MarkupSpan> {
    const std::size_t at = find_pair(text, first, after, from);
    if (at == std::string_view::npos) return {};
    return MarkupSpan{at, at + 2};
  };
  find_nested([&](std::size_t from) { return find('{', second, from); },
              [&](std::size_t from) { return find(first_of_closing, '}', from); }, spans);
  Edits edits(text, out);
  for (const MarkupSpan& span : spans) edits.erase(span.begin, span.end);
  return edits.finish();
}

}  // namespace bertprep
