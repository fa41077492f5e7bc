// The <doc> element of an article, and its form after the reference's formatting.
#pragma once

#include <string>
#include <string_view>

namespace bertprep {

// The <doc> element of an article whose lines are `lines`, each ended by LF.
void append_doc(std::string_view id, std::string_view url, std::string_view title, std::string_view lines,
                std::string& out);

// Turns an article's lines into the text of a formatted file: Document::text with ArticleLayout::kReference. If the
// reference would see several articles in the text, lines "</doc>" separate them.
void format_lines(std::string_view title, std::string& lines);

}  // namespace bertprep
