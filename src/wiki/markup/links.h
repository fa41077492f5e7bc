// Links: those to pages of the wiki, and those to the web.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wiki/markup/elements.h"

namespace bertprep {

// Internal links: [[title|label]] -> label; links whose title has a colon go (files, categories, other wikis).
class InternalLinks {
 public:
  // True: `out` is the new text. False: nothing changes. When the text ends inside a link, that link and all after it
  // stay as they are.
  bool replace(std::string_view text, std::string& out);

 private:
  std::string_view label_of(std::string_view text, MarkupSpan link) const;

  std::vector<MarkupSpan> nested_;  // links directly inside the link at hand
};

// External links in brackets: [url label] -> label. A URL without a label goes, one without brackets stays.

// True: `out` is the new text. False: nothing changes.
bool replace_external_links(std::string_view text, std::string& out);

}  // namespace bertprep
