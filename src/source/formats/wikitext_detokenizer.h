// Detokenizing WikiText: blanks around punctuation, and marks such as " @-@ ", become the text that they were made of.
//
// The rules, their order and their faults are those of Mistral's preparation of GPT-2's corpora
// (stanford-crfm/mistral, src/corpora/detokenization.py), which follow Megatron-LM's.
#pragma once

#include <string>

namespace bertprep {

// Detokenizes `row`, valid UTF-8: a line, with its line feed or without. A row is apart from those around it.
void detokenize_wikitext(std::string& row);

}  // namespace bertprep
