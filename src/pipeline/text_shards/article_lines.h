// Articles as lines of formatted files and text shards.
#pragma once

#include <cstddef>
#include <string>

#include "bertprep/source/document_source.h"

namespace bertprep {

// Appends the document according to its layout. Returns the number of articles that sharding will see in it: 0 without
// text, and more than 1 if ArticleLayout::kReference splits it.
std::size_t append_article_line(const Document& document, std::string& out);

// Appends the document as in text shards: one line per sentence, then an empty line. Returns 1, or 0 without text; then
// appends nothing.
std::size_t append_sentence_lines(const Document& document, std::string& out);

}  // namespace bertprep
