#include "wiki/markup/spans.h"

#include <algorithm>
#include <cstddef>

#include "unicode/byte_search.h"
#include "unicode/code_points.h"
#include "wiki/markup/edits.h"
#include "wiki/markup/tag_names.h"

namespace bertprep {
namespace {

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

constexpr std::string_view kSwitches[] = {"NOTOC",
                                          "FORCETOC",
                                          "TOC",
                                          "NEWSECTIONLINK",
                                          "NONEWSECTIONLINK",
                                          "NOGALLERY",
                                          "HIDDENCAT",
                                          "NOCONTENTCONVERT",
                                          "NOCC",
                                          "NOTITLECONVERT",
                                          "NOTC",
                                          "START",
                                          "END",
                                          "INDEX",
                                          "NOINDEX",
                                          "STATICREDIRECT",
                                          "DISAMBIG"};
constexpr std::size_t kLongestSwitch = 16;

}  // namespace

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
    if (text.substr(end).starts_with("__") &&
        std::find(std::begin(kSwitches), std::end(kSwitches), name) != std::end(kSwitches)) {
      edits.erase(begin, end + 2);
      next = end + 2;
    }
    begin = find_pair(text, '_', '_', next);
  }
  return edits.finish();
}

}  // namespace bertprep
