// The <doc> element of an article, and what the reference's formatting makes of it.
#pragma once

#include <string>
#include <string_view>

namespace bertprep {

// The <doc> element of an article whose lines are `lines`, each ended by LF.
void append_doc(std::string_view id, std::string_view url, std::string_view title, std::string_view lines,
                std::string& out);

// Makes of an article's lines what stands in a formatted file: Document::text with ArticleLayout::kReference. Where the
// text makes the reference see several articles, they are separated by lines "</doc>".
void format_lines(std::string_view title, std::string& lines);

}  // namespace bertprep
