// The folder that HuggingFace's AutoTokenizer loads the tokenizer of a TextEncoder from.
#pragma once

#include <cstdint>
#include <vector>

#include "bertprep/token/text_encoder.h"
#include "token/huggingface/tokenizer_file.h"

namespace bertprep {

// `wordpiece` is what the encoder was opened with, `max_tokens` the longest row that the model takes. Throws
// ConfigError for a tokenizer of the user's own: no file describes it.
std::vector<TokenizerFile> huggingface_files(const TextEncoder& encoder, const TokenizerOptions& wordpiece,
                                             std::int64_t max_tokens);

}  // namespace bertprep
