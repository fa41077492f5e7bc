// Spans between tags, and behaviour switches, that are dropped.
#pragma once

#include <string>
#include <string_view>

#include "unicode/properties/properties.h"

namespace bertprep {

// True: `out` is the new text. False: nothing changes. Spans are found in the original text; of two that overlap, the
// one that begins first is dropped.
bool drop_spans(std::string_view text, const unicode::WordCharacters& words, std::string& out);

// Behaviour switches: __NOTOC__ and the like are deleted.

// True: `out` is the new text. False: nothing changes.
bool drop_switches(std::string_view text, std::string& out);

}  // namespace bertprep
