// tokenizer.json of HuggingFace's tokenizers -> the model in it.
#pragma once

#include <string>

#include "token/bpe/byte_pair_model.h"

namespace bertprep {

// `bytes` are the file's; messages use `where`. Throws FormatError for what is broken, and for what it asks for and
// byte-level BPE as known here does not do, by name. Roles of special tokens are those of the post-processor.
BytePairModel parse_tokenizer_json(const std::string& bytes, const std::string& where);

}  // namespace bertprep
