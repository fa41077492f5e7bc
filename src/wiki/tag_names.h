// Names of tags and what happens to them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bertprep {

// Elements that are removed with all they hold, in this order.
inline constexpr std::string_view kDroppedElements[] = {
    "gallery",    "timeline", "noinclude", "pre",    "table",  "tr",     "td",       "th",
    "caption",    "div",      "form",      "input",  "select", "option", "textarea", "ul",
    "li",         "ol",       "dl",        "dt",     "dd",     "menu",   "dir",      "ref",
    "references", "img",      "imagemap",  "source", "small",  "sub",    "sup",      "indicator"};
// Tags that are removed where they close themselves: <br/>.
inline constexpr std::string_view kSelfClosingTags[] = {"br", "hr", "nobr", "ref", "references", "nowiki"};
// Tags that are removed while their content stays.
inline constexpr std::string_view kIgnoredTags[] = {
    "abbr", "b",   "big", "blockquote", "center", "cite", "em",     "font",   "h1", "h2", "h3",  "h4", "hiero",
    "i",    "kbd", "p",   "plaintext",  "s",      "span", "strike", "strong", "tt", "u",  "var", "a"};

struct TagClass {
  std::uint8_t dropped = 0;  // place in kDroppedElements, from 1; 0: it is none of them
  bool is_self_closing = false;
  bool is_ignored = false;

  bool operator==(const TagClass&) const = default;
};

// Of a whole name; ASCII letters may be of either case.
TagClass tag_class(std::string_view name);

}  // namespace bertprep
