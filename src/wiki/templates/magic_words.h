// Magic words: {{PAGENAME}}, {{CURRENTYEAR}} and the like, whose value the page and the site give.
#pragma once

#include <string>
#include <string_view>

#include "wiki/dump/wiki_page.h"

namespace bertprep {

// Appends the value of `name`. False: it is no magic word. The rules for titles are those of the reference: whatever
// stands before the first colon is the namespace.
bool append_magic_word(std::string_view name, const WikiSite& site, const WikiPage& page, std::string& out);

}  // namespace bertprep
