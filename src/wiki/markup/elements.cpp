#include "wiki/markup/elements.h"

#include <algorithm>
#include <iterator>

#include "unicode/byte_search.h"
#include "wiki/markup/edits.h"

namespace bertprep {
namespace {

// A name of at most 16 bytes in lower case. `high` has the bytes before the last eight.
struct Key {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  constexpr bool operator==(const Key&) const = default;
};
constexpr std::size_t kLongestName = 10;
constexpr std::size_t kSlots = 512;

constexpr Key key_of(std::string_view name) {
  Key key;
  for (const char c : name) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    key.high = key.high << 8 | key.low >> 56;
    key.low = key.low << 8 | static_cast<std::uint64_t>(static_cast<unsigned char>(is_upper ? c | 0x20 : c));
  }
  return key;
}

constexpr std::size_t slot_of(const Key& key) {
  return static_cast<std::size_t>((key.low ^ key.high << 7) * 0x9E3779B97F4A7C15 >> 55);
}

struct Slot {
  Key key;  // {}: free
  TagClass tag;
};
using Table = std::array<Slot, kSlots>;

constexpr TagClass& add(Table& table, std::string_view name) {
  const Key key = key_of(name);
  std::size_t slot = slot_of(key);
  while (table[slot].key != Key() && table[slot].key != key) slot = (slot + 1) % kSlots;
  table[slot].key = key;
  return table[slot].tag;
}

constexpr Table kTable = [] {
  Table table{};
  for (std::size_t i = 0; i < std::size(kDroppedElements); ++i) {
    add(table, kDroppedElements[i]).dropped = static_cast<std::uint8_t>(i + 1);
  }
  for (const std::string_view name : kSelfClosingTags) add(table, name).is_self_closing = true;
  for (const std::string_view name : kIgnoredTags) add(table, name).is_ignored = true;
  return table;
}();

constexpr std::size_t kElements = std::size(kDroppedElements);
static_assert(kElements < 64);

struct FindClose {
  std::string_view text;

  std::size_t operator()(std::size_t from) const { return find_byte(text, '>', from); }
};

class SpanFinder {
 public:
  SpanFinder(std::string_view text, const unicode::WordCharacters& words)
      : text_(text), words_(words), next_close_(FindClose{text}) {}

  // The end of the span that begins with the < at `begin`; kNotFound if there is none. Must be called for every <, in
  // order, except for those inside deleted comments.
  std::size_t end_of_span(std::size_t begin) {
    const std::string_view rest = text_.substr(begin);
    if (rest.starts_with("<!--")) return end_of_comment(begin);
    if (rest.starts_with("</")) return end_of_closing(begin);
    return end_of_opening(begin);
  }

 private:
  // Comments do not overlap, whether they are deleted or not.
  std::size_t end_of_comment(std::size_t begin) {
    if (begin < comment_end_) return kNotFound;
    const std::size_t dashes = text_.find("-->", begin + 4);
    comment_end_ = dashes == kNotFound ? kNotFound : dashes + 3;
    return comment_end_;
  }

  std::size_t end_of_closing(std::size_t begin) const {
    const std::size_t name = unicode::skip_spaces(text_, begin + 2);
    const std::size_t end = end_of_tag_name(text_, name);
    if (!text_.substr(end).starts_with('>')) return kNotFound;
    return tag_class(text_.substr(name, end - name)).is_ignored ? end + 1 : kNotFound;
  }

  std::size_t end_of_opening(std::size_t begin) {
    const std::size_t name = unicode::skip_spaces(text_, begin + 1);
    const std::size_t name_end = end_of_tag_name(text_, name);
    const TagClass tag = tag_class(text_.substr(name, name_end - name));
    const bool is_ignored = tag.is_ignored && name == begin + 1;
    if (!(is_ignored || tag.is_self_closing) || words_.is_word_at(text_, name_end)) return kNotFound;
    const std::size_t close = next_close_.at_or_after(name_end);
    if (close == kNotFound) return kNotFound;
    return is_ignored || closes_itself(name_end, close) ? close + 1 : kNotFound;
  }

  // Whether the last character other than a space before the > at `close` is a slash after the name.
  bool closes_itself(std::size_t name_end, std::size_t close) {
    if (last_close_ != close) {
      last_close_ = close;
      last_inside_ = close;
      while (last_inside_ > 0) {
        const unicode::CodePoint c = unicode::code_point_before(text_, last_inside_);
        if (!unicode::is_space(c.value)) break;
        last_inside_ -= c.bytes;
      }
    }
    return last_inside_ > name_end && text_[last_inside_ - 1] == '/';
  }

  std::string_view text_;
  const unicode::WordCharacters& words_;
  NextPlace<FindClose> next_close_;
  std::size_t comment_end_ = 0;
  std::size_t last_close_ = kNotFound;
  std::size_t last_inside_ = 0;  // end of the text before the > at last_close_, without trailing spaces
};

constexpr std::string_view kSwitches =
    " NOTOC FORCETOC TOC NEWSECTIONLINK NONEWSECTIONLINK NOGALLERY HIDDENCAT NOCONTENTCONVERT NOCC NOTITLECONVERT NOTC "
    "START END INDEX NOINDEX STATICREDIRECT DISAMBIG ";
constexpr std::size_t kLongestSwitch = 16;

}  // namespace

TagClass tag_class(std::string_view name) {
  if (name.empty() || name.size() > kLongestName) return {};
  const Key key = key_of(name);
  for (std::size_t slot = slot_of(key); kTable[slot].key != Key(); slot = (slot + 1) % kSlots) {
    if (kTable[slot].key == key) return kTable[slot].tag;
  }
  return {};
}

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

bool drop_spans(std::string_view text, const unicode::WordCharacters& words, std::string& out) {
  Edits edits(text, out);
  SpanFinder finder(text, words);
  std::size_t deleted = 0;
  for (std::size_t begin = find_byte(text, '<'); begin != kNotFound;) {
    const std::size_t end = finder.end_of_span(begin);
    std::size_t next = begin + 1;
    if (end != kNotFound && begin >= deleted) {
      edits.erase(begin, end);
      deleted = end;
      if (text.substr(begin).starts_with("<!--")) next = end;
    }
    begin = find_byte(text, '<', next);
  }
  return edits.finish();
}

bool drop_switches(std::string_view text, std::string& out) {
  Edits edits(text, out);
  for (std::size_t begin = find_pair(text, '_', '_'); begin != text.npos;) {
    std::size_t end = begin + 2;
    while (end < text.size() && end <= begin + 2 + kLongestSwitch && text[end] >= 'A' && text[end] <= 'Z') ++end;
    const std::string_view name = text.substr(begin + 2, end - begin - 2);
    std::size_t next = begin + 1;
    if (text.substr(end).starts_with("__") && kSwitches.find(" " + std::string(name) + " ") != kSwitches.npos) {
      edits.erase(begin, end + 2);
      next = end + 2;
    }
    begin = find_pair(text, '_', '_', next);
  }
  return edits.finish();
}

}  // namespace bertprep
