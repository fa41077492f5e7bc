// Sentences of scripts whose marks ICU's rules don't know: Unicode 15's property Sentence_Terminal lacks those of
// Khmer, Tibetan and Thai, the Greek question mark, and the two dots that stand for a full stop in Ethiopic.
#pragma once

#include <cstddef>
#include <string_view>

namespace bertprep {

// How long the first sentence of `text` (valid UTF-8) is in bytes, with its marks and the quotes and white space behind
// them; all of `text` where there is no such mark, or nothing behind it. Marks before the first letter end no sentence.
std::size_t first_script_sentence(std::string_view text);

}  // namespace bertprep
