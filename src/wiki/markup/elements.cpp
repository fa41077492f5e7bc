#include "wiki/markup/elements.h"

#include <iterator>

#include "unicode/byte_search.h"
#include "unicode/code_points.h"
#include "wiki/markup/edits.h"
#include "wiki/markup/tag_names.h"

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

namespace {

constexpr std::size_t kElements = std::size(kDroppedElements);
static_assert(kElements < 64);

}  // namespace

void Elements::find_tags(std::string_view text, std::size_t first_element, const unicode::WordCharacters& words) {
  tags_.clear();
  opened_ = closed_ = 0;
  NextPlace attributes_end([text](std::size_t from) { return text.find_first_of(">/", from); });
  for (std::size_t begin = find_byte(text, '<'); begin != text.npos; begin = find_byte(text, '<', begin + 1)) {
    std::size_t name = unicode::skip_spaces(text, begin + 1);
    const bool is_closing = name < text.size() && text[name] == '/';
    if (is_closing) name = unicode::skip_spaces(text, name + 1);
    const std::size_t name_end = end_of_tag_name(text, name);
    const std::uint8_t element = tag_class(text.substr(name, name_end - name)).dropped;
    if (element < first_element || words.is_word_at(text, name_end)) continue;
    const std::size_t end = is_closing ? name_end : attributes_end.at_or_after(name_end);
    if (end >= text.size() || text[end] != '>') continue;
    tags_.push_back({{begin, end + 1}, element, is_closing});
    (is_closing ? closed_ : opened_) |= std::uint64_t{1} << element;
  }
}

bool Elements::drop_element(std::size_t element, std::string_view text, std::string& out) {
  const auto next_tag = [&](bool is_closing) {
    return [this, element, is_closing, at = std::size_t{0}](std::size_t from) mutable -> std::optional<MarkupSpan> {
      for (; at < tags_.size(); ++at) {
        const Tag& tag = tags_[at];
        if (tag.element == element && tag.is_closing == is_closing && tag.span.begin >= from) return tag.span;
      }
      return {};
    };
  };
  find_nested(next_tag(false), next_tag(true), spans_);
  Edits edits(text, out);
  for (const MarkupSpan& span : spans_) edits.erase(span.begin, span.end);
  return edits.finish();
}

bool Elements::drop(std::string_view text, const unicode::WordCharacters& words, std::string& out) {
  bool changed = false;
  find_tags(text, 1, words);
  for (std::size_t element = 1; element <= kElements; ++element) {
    if (((opened_ & closed_) >> element & 1) == 0 || !drop_element(element, text, spare_)) continue;
    out.swap(spare_);
    text = out;
    changed = true;
    find_tags(text, element + 1, words);
  }
  return changed;
}

}  // namespace bertprep
