#include "token/huggingface_folder.h"

#include "bertprep/base/error.h"
#include "token/bpe/byte_pair_files.h"
#include "token/huggingface/wordpiece_files.h"
#include "token/token_words.h"

namespace bertprep {

std::vector<TokenizerFile> huggingface_files(const TextEncoder& encoder, const TokenizerOptions& wordpiece,
                                             std::int64_t max_tokens) {
  if (const BytePairModel* model = encoder.byte_pairs()) return byte_pair_folder_files(*model, max_tokens);
  if (wordpiece.custom != nullptr) {
    throw ConfigError("the tokenizer '" + wordpiece.custom->name() + "' has no files that HuggingFace's programs read");
  }
  const Normalization normalization = normalization_of(wordpiece);
  const WordPieceText cleaning{.lower_case = normalization.lower_case, .strip_accents = normalization.strip_accents};
  return wordpiece_files(encoder.wordpiece()->bytes(), cleaning, max_tokens);
}

}  // namespace bertprep
