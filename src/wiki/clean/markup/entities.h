// Character references: names and numbers -> characters.
#pragma once

#include <string>
#include <string_view>

namespace bertprep::clean {

// The five of XML and the numeric ones, for the text of a dump. Replaces `out`.
void unescape_xml(std::string_view text, std::string& out);

// Every one of HTML 5 that ends in `;`, twice over, since editors escape what is escaped. Unknown ones stay. Characters
// that no text may hold (NUL, controls, surrogates) vanish.
void unescape_html(std::string& text);

}  // namespace bertprep::clean
