// SiteInfo: the head of a dump, which names the wiki, its address and its namespaces.
#pragma once

#include <string>
#include <string_view>

#include "wiki/dump/dump_tag.h"
#include "wiki/dump/wiki_page.h"

namespace bertprep {

// Takes in one line of <siteinfo>. Values stay as they stand in the XML, escaped.
void add_siteinfo(std::string_view line, const DumpTag& tag, WikiSite& site);

// A site before its siteinfo: namespace "Template" is 10.
WikiSite unknown_site();

// The time that pages with a clock show: `asked` (ISO 8601, perhaps with Z), else midnight of the first eight digits in
// the dump's name that are a day, else the time of a revision, else that of the Unix epoch.
std::string clock_of(const std::string& asked, std::string_view dump_name, std::string_view revision_time);

}  // namespace bertprep
