// The files of a byte-level BPE tokenizer -> the model in them, and back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "token/bpe/byte_pair_model.h"
#include "token/huggingface/tokenizer_folder.h"

namespace bertprep {

// `path`: tokenizer.json, whatever its name; vocab.json or merges.txt with the other next to it; a folder with
// tokenizer.json, or with these two. An adjacent tokenizer_config.json gives the roles of special tokens. Throws
// IoError, FormatError.
BytePairModel read_byte_pairs(const std::filesystem::path& path);

// tokenizer.json of HuggingFace's tokenizers. `bytes` are the file's; messages use `where`. Throws FormatError for
// faults, and, by name, for features that this byte-level BPE does not support. Roles of special tokens come from the
// post-processor.
BytePairModel parse_tokenizer_json(const std::string& bytes, const std::string& where);

// The bytes of a file, and its path for messages.
struct NamedText {
  std::string bytes;
  std::string where;
};

// vocab.json and merges.txt, as OpenAI published GPT-2. Control tokens are those of GPT-2 and RoBERTa in the
// vocabulary: "<|endoftext|>", "<s>", "<pad>", "</s>", "<unk>", "<mask>", the last with the white space before it.
// Throws FormatError.
BytePairModel parse_vocab_and_merges(const NamedText& vocab, const NamedText& merges);

// Completes model.specials, the tokens that begin, end and pad rows, and so on: first from `config`
// (tokenizer_config.json, may be empty), then from the post-processor, then by usual names. Throws FormatError naming
// `where` if the file names a token that is not in the vocabulary.
void find_roles(const std::string& config, const std::string& where, BytePairModel& model);

// The folder as HuggingFace's AutoTokenizer loads it. Files that were read stay unchanged. A missing tokenizer.json is
// made from vocab.json and merges.txt, a missing tokenizer_config.json, for rows of up to `max_tokens`, from the
// special tokens.
std::vector<TokenizerFile> byte_pair_folder_files(const BytePairModel& model, std::int64_t max_tokens);

}  // namespace bertprep
