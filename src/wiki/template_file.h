// The file of --templates: the pages of templates and modules, cut out of a dump.
//
//   <page>
//      <title>Template:Name</title>
//      <ns>10</ns>
//      <id>280</id>
//      <text>the page's text, escaped as in the dump   </text>
//   </page>
//
// The three blanks before </text> are the file's, not the text's: a text that is read back is the one that was written.
#pragma once

#include <string>
#include <string_view>

#include "wiki/template_store.h"
#include "wiki/wiki_page.h"

namespace bertprep {

// Appends the page as it stands in the file. `name_space`: its key, "10" or "828".
void append_template_page(const WikiPage& page, std::string_view name_space, std::string& out);

// Defines what a whole file holds. Throws FormatError with `file` and the line where a page is cut short or holds
// something else.
void read_template_file(std::string_view bytes, const std::string& file, TemplateStore& store);

}  // namespace bertprep
