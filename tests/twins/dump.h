// PlainDump: the pages of a dump read line by line, to test later stages without the real reader.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "wiki/dump/wiki_page.h"

namespace bertprep::test {

struct PlainDump {
  WikiSite site;
  std::vector<WikiPage> pages;                              // of the main namespace and without redirects
  std::vector<std::pair<std::string, WikiPage>> templates;  // likewise, of the namespaces "10" and "828"
};
PlainDump read_plain_dump(const std::string& xml);

// The bytes of FILE or else of FILE.xz, which the program xz unpacks.
std::string read_maybe_xz(const std::filesystem::path& file);

}  // namespace bertprep::test
