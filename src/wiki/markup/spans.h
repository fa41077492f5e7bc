// Comments, tags that close themselves, and tags whose content stays: each is a span that goes.
#pragma once

#include <string>
#include <string_view>

#include "wiki/markup/word_characters.h"

namespace bertprep {

// True: `out` is the new text. False: nothing changes. Spans are found on the text as it comes; of two that overlap,
// the one that begins first goes.
bool drop_spans(std::string_view text, const WordCharacters& words, std::string& out);

}  // namespace bertprep
