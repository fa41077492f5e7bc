// Which templates and links stand in running text, and which alone on their lines.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "wiki/clean/lines.h"
#include "wiki/clean/marks.h"
#include "wiki/dump/wiki_page.h"

namespace bertprep::clean {

// For each mark whether there are words beside it: in its line, or in its part of an argument or label. One that fills
// an argument or label stands where the template or link around it stands. Not in running text are templates of several
// lines that begin a line, and what stands in list items and headings, unless the rules keep them. Time: linear in the
// text and the marks.
std::vector<bool> find_in_text(std::string_view text, std::span<const Mark> marks, const WikiSite& site,
                               const LineRules& rules);

}  // namespace bertprep::clean
