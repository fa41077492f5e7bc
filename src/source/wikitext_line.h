// What the lines of a WikiText file are: headings of the first level, deeper headings, text.
#pragma once

#include <string_view>

namespace bertprep {

// " = Title = " with a title of two characters or more that neither begins nor ends with '='. Such a line is
// the heading of an article only between blank lines.
bool looks_like_wikitext_title(std::string_view line);

// " = = Section = = " and deeper.
bool is_wikitext_section(std::string_view line);

// The title within a line that looks like one.
std::string_view wikitext_title(std::string_view line);

}  // namespace bertprep
