// The words of one white-space token, the plain way: what basic_tokens() is made of, and the tokenizer's
// answer to tokens whose characters can't be folded one by one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bertprep {

// Lower-cased, decomposed and without nonspacing marks.
std::u32string fold(std::u32string_view token);

// Appends the words of `token` (cleaned, without white space) to `words`: the token itself when it spells a
// special piece, otherwise its folded text (only where `lower_case`) cut around every punctuation character.
void append_words(std::u32string_view token, bool lower_case, std::vector<std::string>& words);

}  // namespace bertprep
