// '' and ''' of one line of wikitext.
#pragma once

#include <string>
#include <string_view>

namespace bertprep::clean {

// Appends `line` without the apostrophes of bold and italics. When both are odd in number, one ''' was an apostrophe
// before '' (L'''Iliade''), as MediaWiki reads it.
void append_without_quotes(std::string_view line, std::string& out);

}  // namespace bertprep::clean
