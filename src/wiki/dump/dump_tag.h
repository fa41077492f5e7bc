// The tags of a dump, and the wiki's data in its head.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

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

}  // namespace bertprep
