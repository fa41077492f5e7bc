// Internal links: [[title|label]] -> label; links whose title has a colon go (files, categories, other wikis).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wiki/markup/nested_drop.h"

namespace bertprep {

class InternalLinks {
 public:
  // True: `out` is the new text. False: nothing changes. When the text ends inside a link, that link and all after it
  // stay as they are.
  bool replace(std::string_view text, std::string& out);

 private:
  std::string_view label_of(std::string_view text, MarkupSpan link) const;

  std::vector<MarkupSpan> nested_;  // links directly inside the link at hand
};

}  // namespace bertprep
