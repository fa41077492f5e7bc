// The folder of a tokenizer as HuggingFace's programs load it: BertTokenizer by vocab.txt, AutoTokenizer and the fast
// ones by tokenizer.json and tokenizer_config.json.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/shard/manifest.h"

namespace bertprep {

struct TokenizerFile {
  std::string name;
  std::string bytes;
};

// `vocab` are the bytes of a vocabulary (docs/formats/vocabulary.md), `options` what became of the text before it was
// looked up, `max_tokens` the longest row that the model takes. Throws FormatError when a special piece is missing.
std::vector<TokenizerFile> tokenizer_files(std::string_view vocab, const ManifestVocab& options,
                                           std::int64_t max_tokens);

}  // namespace bertprep
