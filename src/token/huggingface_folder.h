// The folder from which HuggingFace's AutoTokenizer loads the tokenizer of a TextEncoder.
#pragma once

#include <cstdint>
#include <vector>

#include "bertprep/token/text_encoder.h"
#include "token/huggingface/tokenizer_folder.h"

namespace bertprep {

// `wordpiece` are the options with which the encoder was opened, `max_tokens` is the longest row that the model
// accepts. Throws ConfigError for a custom tokenizer: no file describes it.
std::vector<TokenizerFile> huggingface_files(const TextEncoder& encoder, const TokenizerOptions& wordpiece,
                                             std::int64_t max_tokens);

}  // namespace bertprep
