// The files of a byte-level BPE tokenizer, found from any of them or from their folder.
#pragma once

#include <filesystem>

#include "token/bpe/byte_pair_model.h"

namespace bertprep {

// `path`: tokenizer.json, whatever its name; vocab.json or merges.txt with the other beside it; a folder with
// tokenizer.json, or with these two. tokenizer_config.json beside them says what the special tokens are for. Throws
// IoError, FormatError.
BytePairModel read_byte_pairs(const std::filesystem::path& path);

}  // namespace bertprep
