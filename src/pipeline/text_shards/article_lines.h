// Articles as formatted files hold them.
#pragma once

#include <cstddef>
#include <string>

#include "bertprep/source/document_source.h"

namespace bertprep {

// Appends the document as its layout says. Returns the number of articles that sharding will see in it: 0 without text,
// and more than 1 where ArticleLayout::kReference makes it several.
std::size_t append_article_line(const Document& document, std::string& out);

// Appends the document as text shards hold it: a line a sentence, then an empty line. Returns 1, or 0 when it has
// no text; nothing was appended then.
std::size_t append_sentence_lines(const Document& document, std::string& out);

}  // namespace bertprep
