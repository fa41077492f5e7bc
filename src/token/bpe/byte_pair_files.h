// The files of a byte-level BPE tokenizer -> the model in them, and back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "token/bpe/byte_pair_model.h"
#include "token/huggingface/tokenizer_file.h"

namespace bertprep {

// `path`: tokenizer.json, whatever its name; vocab.json or merges.txt with the other beside it; a folder with
// tokenizer.json, or with these two. tokenizer_config.json beside them says what the special tokens are for. Throws
// IoError, FormatError.
BytePairModel read_byte_pairs(const std::filesystem::path& path);

// tokenizer.json of HuggingFace's tokenizers. `bytes` are the file's; messages use `where`. Throws FormatError for what
// is broken, and for what it asks for and byte-level BPE as known here does not do, by name. Roles of special tokens
// are those of the post-processor.
BytePairModel parse_tokenizer_json(const std::string& bytes, const std::string& where);

// The bytes of a file, and where it lies, for messages.
struct NamedBytes {
  std::string bytes;
  std::string where;
};

// vocab.json and merges.txt, as OpenAI published GPT-2. Control tokens are those of GPT-2 and RoBERTa that the
// vocabulary has: "<|endoftext|>", "<s>", "<pad>", "</s>", "<unk>", "<mask>", the last with the white space in front of
// it. Throws FormatError.
BytePairModel parse_vocab_and_merges(const NamedBytes& vocab, const NamedBytes& merges);

// Completes model.specials, which tokens begin and end rows, fill them, and so on: what `config`
// (tokenizer_config.json, may be empty) says comes first, then what the post-processor said, then tokens by their usual
// names. Throws FormatError that names `where` when the file names a token that the vocabulary has not.
void find_roles(const std::string& config, const std::string& where, BytePairModel& model);

// The folder as HuggingFace's AutoTokenizer loads it. Files that were read stay as they are; tokenizer.json is made of
// vocab.json and merges.txt where there was none, and tokenizer_config.json, for rows of up to `max_tokens`, of the
// special tokens.
std::vector<TokenizerFile> byte_pair_folder_files(const BytePairModel& model, std::int64_t max_tokens);

}  // namespace bertprep
