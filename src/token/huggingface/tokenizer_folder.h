// The files of the folder from which HuggingFace's programs load a tokenizer, what all of them share, and writing them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "io/json.h"

namespace bertprep {

struct TokenizerFile {
  std::string name;
  std::string bytes;
};

// A token of "added_tokens" (tokenizer.json) and of "added_tokens_decoder" (tokenizer_config.json).
struct TokenFlags {
  bool lstrip = false;
  bool rstrip = false;
  bool normalized = false;
  bool special = true;
};
Json added_token_json(std::uint64_t id, std::string_view content, const TokenFlags& flags);
Json decoder_token_json(std::string_view content, const TokenFlags& flags);

// Makes the folder if needed. Throws FormatError, before writing anything, if a file exists with other content, unless
// `replace`; IoError.
void write_tokenizer_folder(const std::filesystem::path& folder, std::span<const TokenizerFile> files, bool replace);

}  // namespace bertprep
