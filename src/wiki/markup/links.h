// Links: those to pages of the wiki, and those to the web.
#pragma once

#include "wiki/markup/elements.h"

namespace bertprep {

// Internal links: [[title|label]] -> label; removes links whose title has a colon (files, categories, other wikis).
class InternalLinks {
 public:
  // True: `out` is the new text. False: nothing changes. If the text ends inside a link, that link and all after it
  // stay unchanged.
  bool replace(std::string_view text, std::string& out);

 private:
  std::string_view label_of(std::string_view text, MarkupSpan link) const;

  std::vector<MarkupSpan> nested_;  // links directly inside the current link
};

// External links in brackets: [url label] -> label. A URL without a label is removed, one without brackets stays.

// True: `out` is the new text. False: nothing changes.
bool replace_external_links(std::string_view text, std::string& out);

}  // namespace bertprep
