// Names of tags: where they end, and what happens to the tags.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

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

}  // namespace bertprep
