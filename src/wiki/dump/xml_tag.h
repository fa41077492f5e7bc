// The tags of XML, as any writer may put them: prefixes, blanks, attributes in either quotes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "wiki/dump/wiki_page.h"

namespace bertprep {

enum class XmlKind { kOpening, kClosing, kEmpty, kCdata, kDeclaration, kOther };

struct XmlTag {
  XmlKind kind = XmlKind::kOther;
  std::string_view name;        // without its prefix: "page" of <mw:page>
  std::string_view attributes;  // between the name and the end of the tag; of a CDATA section, its text
  std::string_view raw;         // from "<" to ">"

  bool is_opening(std::string_view wanted) const { return kind == XmlKind::kOpening && name == wanted; }
  bool is_closing(std::string_view wanted) const { return kind == XmlKind::kClosing && name == wanted; }
};

// Whether a "<" before this byte begins markup; else it is text that was not escaped.
bool begins_markup(char next);

// Whether the ">" at the end of `raw`, which begins with "<", ends its tag: it stands in no attribute, comment, CDATA
// section or declaration. What is longer than a tag may be, is one: its quotes are broken.
bool is_whole_tag(std::string_view raw);

// `raw` is a whole tag, or a "<" that begins none: kOther, as are comments and processing instructions.
XmlTag read_xml_tag(std::string_view raw);

// The value of an attribute of that name, with or without a prefix; empty if there is none.
std::string_view attribute_of(const XmlTag& tag, std::string_view name);

// Appends text, such as that of a CDATA section, escaped as other text of a dump is.
template <class Out>
void append_escaped(std::string_view text, Out& out) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find_first_of("&<>", at), text.size());
    out.append(text.substr(at, next - at));
    if (next < text.size()) out.append(text[next] == '&' ? "&amp;" : text[next] == '<' ? "&lt;" : "&gt;");
    at = next + 1;
  }
}

}  // namespace bertprep
