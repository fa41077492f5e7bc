// The tags of a dump, and what its head says of the wiki.
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
  std::string_view value;  // what follows it up to the next "<" or the end of the line, LF included
  bool is_closed = false;  // there is another tag behind the value
};

// The leftmost "<", perhaps "/", one or more word characters, with a ">" somewhere behind them.
std::optional<DumpTag> first_tag(std::string_view line);

// SiteInfo: the head of a dump, which names the wiki, its address and its namespaces.

// Takes in one line of <siteinfo>. Values stay as they stand in the XML, escaped.
void add_siteinfo(std::string_view line, const DumpTag& tag, WikiSite& site);

// A site before its siteinfo: namespace "Template" is 10.
WikiSite unknown_site();

// The time that pages with a clock show: `asked` (ISO 8601, perhaps with Z), else midnight of the first eight digits in
// the dump's name that are a day, else the time of a revision, else that of the Unix epoch.
std::string clock_of(const std::string& asked, std::string_view dump_name, std::string_view revision_time);

}  // namespace bertprep
