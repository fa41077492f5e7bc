// Reads a dump as documented, line by line, with the whole dump in memory.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace bertprep::test {

struct PlainPage {
  std::string id;
  std::string title;
  std::string namespace_key;
  std::string text;
  bool operator==(const PlainPage&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const PlainPage& page) {
  return out << page.id << "/" << page.title << "/" << page.namespace_key << "/" << page.text.substr(0, 200);
}

// The pages of a dump that has a <siteinfo>.
std::vector<PlainPage> plain_pages(std::string_view dump);

}  // namespace bertprep::test
