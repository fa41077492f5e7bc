// The folder of a byte-level BPE tokenizer as HuggingFace's AutoTokenizer loads it.
#pragma once

#include <cstdint>
#include <vector>

#include "token/bpe/byte_pair_model.h"
#include "token/huggingface/tokenizer_file.h"

namespace bertprep {

// Files that were read stay as they are; tokenizer.json is made of vocab.json and merges.txt where there was none, and
// tokenizer_config.json, for rows of up to `max_tokens`, of the special tokens.
std::vector<TokenizerFile> byte_pair_folder_files(const BytePairModel& model, std::int64_t max_tokens);

}  // namespace bertprep
