// Line filter: which lines of a page are text. Headings, lists, indented lines and remains of tables are not.
#pragma once

#include <string>
#include <string_view>

namespace bertprep {

// Appends the lines of `text` that stay to `lines`, each ended by LF. The first line behind a list is kept whatever it
// is, and so is the first line of text of a section; blank lines do not follow each other, unless lists end in them.
void filter_lines(std::string_view text, std::string& lines);

}  // namespace bertprep
