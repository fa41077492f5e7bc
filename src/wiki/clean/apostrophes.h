// '' and ''' of wikitext: the marks of italics and bold.
#pragma once

#include <string>
#include <string_view>

namespace bertprep::clean {

// Appends `line` without the apostrophes of bold and italics. When both are odd in number, one ''' was an apostrophe
// before '' (L'''Iliade''), as MediaWiki reads it.
void append_without_quotes(std::string_view line, std::string& out);

// Whether `text`, an argument or a label, is one line and ends the bold and the italics that it begins.
bool closes_its_quotes(std::string_view text);

}  // namespace bertprep::clean
