// vocab.json and merges.txt, as OpenAI published GPT-2 -> the model in them.
#pragma once

#include <string>

#include "token/bpe/byte_pair_model.h"

namespace bertprep {

// The bytes of a file, and where it lies, for messages.
struct NamedBytes {
  std::string bytes;
  std::string where;
};

// Control tokens are those of GPT-2 and RoBERTa that the vocabulary has: "<|endoftext|>", "<s>", "<pad>", "</s>",
// "<unk>", "<mask>", the last with the white space in front of it. Throws FormatError.
BytePairModel parse_vocab_and_merges(const NamedBytes& vocab, const NamedBytes& merges);

}  // namespace bertprep
