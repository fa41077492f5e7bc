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

// A site before its siteinfo: namespace "Template" is 10.
WikiSite unknown_site();

// The time shown by pages with a clock: `requested` (ISO 8601, Z optional), else midnight of the first eight digits
// in the dump's name that are a date, else the time of a revision, else that of the Unix epoch.
std::string clock_of(const std::string& requested, std::string_view dump_name, std::string_view revision_time);

}  // namespace bertprep
