// A file of the folder from which HuggingFace's programs load a tokenizer, and what all of them share.
#pragma once

#include <cstdint>
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

}  // namespace bertprep
