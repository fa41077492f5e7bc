// Detokenizing WikiText: blanks around punctuation, and marks such as " @-@ ", become the original text.
//
// The rules, their order and their errors are those of Mistral's preparation of GPT-2's corpora (stanford-crfm/mistral,
// src/corpora/detokenization.py), which follow Megatron-LM's.
#pragma once

#include <string>

namespace bertprep {

// Detokenizes `row`, valid UTF-8: a line, with or without its line feed, independent of other lines.
void detokenize_wikitext(std::string& row);

}  // namespace bertprep
