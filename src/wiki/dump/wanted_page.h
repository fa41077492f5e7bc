// WantedPage: the page that the user asks for, by its id or its title.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bertprep {

// Compares titles as MediaWiki does: '_' is a blank, and the case of the first letter does not count. Both titles may
// be escaped as in a dump. One thread at a time.
class WantedPage {
 public:
  explicit WantedPage(std::string_view title_or_id);

  // Whether this page is it; else its title is kept if it is near.
  bool is(std::string_view id, std::string_view title);

  // What to do if there is none: names titles that differ in case or in a few letters, or that begin with the wanted
  // one.
  std::string advice() const;

 private:
  std::string wanted_;
  std::string title_;
  std::vector<std::string> near_;  // the first few
};

}  // namespace bertprep
