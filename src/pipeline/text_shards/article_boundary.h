// Where articles begin in the middle of a file, for formats that can be entered there.
#pragma once

#include <cstddef>
#include <string_view>

#include "bertprep/source/open_source.h"

namespace bertprep {

// articles, jsonl, sentences and wikitext.
bool has_article_boundaries(InputFormat format);

// The beginning of the first article at `place` or behind it; the size of `text` when there is none. The beginning of
// the file is the beginning of an article.
std::size_t next_article(std::string_view text, std::size_t place, InputFormat format);

}  // namespace bertprep
