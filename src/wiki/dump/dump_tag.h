// The tags of a dump: as the reference reads them, and as any writer of XML may put them, with prefixes, blanks and
// attributes in either quotes; and the wiki's data in the dump's head.
#pragma once

#include <algorithm>
#include <optional>

#include "wiki/dump/wiki_page.h"

namespace bertprep {

struct DumpTag {
  std::string_view name;   // of letters, digits and _, with the slash of a closing tag: "page", "/page"
  std::size_t begin = 0;   // of its "<" in the line
  std::size_t close = 0;   // of its ">"
  std::string_view value;  // the text after it up to the next "<" or the end of the line, including LF
  bool is_closed = false;  // another tag follows the value
};

// The leftmost "<", an optional "/", one or more word characters, and a ">" somewhere after them.
std::optional<DumpTag> first_tag(std::string_view line);

// SiteInfo: the head of a dump, which names the wiki, its address and its namespaces.

// Reads one line of <siteinfo>. Values stay escaped, as in the XML.
void add_siteinfo(std::string_view line, const DumpTag& tag, WikiSite& site);

// Of a <namespace>: its name and the digits of its key, which are empty if it is negative or missing.
void add_namespace(std::string_view name, std::string_view key, WikiSite& site);

// A site before its siteinfo: namespace "Template" is 10.
WikiSite unknown_site();

// The time shown by pages with a clock: `requested` (ISO 8601, Z optional), else midnight of the first eight digits
// in the dump's name that are a date, else the time of a revision; empty if that is not known either.
std::string clock_of(const std::string& requested, std::string_view dump_name, std::string_view revision_time);

// The code of the wiki's language, "en" of https://en.wikipedia.org/wiki: by its address, else by the root's xml:lang,
// by the database's name or by the dump's. Empty if nothing of these tells.
std::string language_of(const WikiSite& site);

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
