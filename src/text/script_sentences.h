// Splits sentences of scripts whose marks ICU's rules ignore: Unicode 15's property Sentence_Terminal lacks those of
// Khmer, Tibetan and Thai, the Greek question mark, and the two dots used as a full stop in Ethiopic.
#pragma once

#include <cstddef>
#include <string_view>

namespace bertprep {

// The length in bytes of the first sentence of `text` (valid UTF-8), including its marks and the quotes and white space
// after them; all of `text` if there is no such mark, or nothing follows it. Marks before the first letter don't end a
// sentence.
std::size_t first_script_sentence(std::string_view text);

}  // namespace bertprep
