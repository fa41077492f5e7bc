// Finds the begin of articles inside a file, for formats that can be split there.
#pragma once

#include <cstddef>
#include <string_view>

#include "bertprep/source/open_source.h"

namespace bertprep {

// articles, jsonl, sentences and wikitext.
bool has_article_boundaries(InputFormat format);

// The beginning of the first article at or after `place`; the size of `text` if there is none. An article begins at the
// beginning of the file.
std::size_t next_article(std::string_view text, std::size_t place, InputFormat format);

}  // namespace bertprep
