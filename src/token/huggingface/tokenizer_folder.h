// What the files of HuggingFace's tokenizers share: the folder that is written, and JSON by others, of which unknown
// parts are refused by name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
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

// "a ByteLevel pre_tokenizer with use_regex false": refused at `where`. Throws FormatError.
[[noreturn]] void refuse_part(const std::string& part, const std::string& where);

// Refuses keys of `object` that are not in `known`; `part` names the object.
void require_known_keys(const Json& object, std::initializer_list<std::string_view> known, const std::string& part,
                        const std::string& where);

// Refuses a tokenizer.json of another version, or with other parts.
void require_tokenizer(const Json& json, const std::string& where);

// The member; nullptr also for null.
const Json* find_value(const Json& object, std::string_view key);
// false if missing.
bool flag_of(const Json& object, std::string_view key);
// The text of a member; empty if missing.
std::string text_of(const Json& object, std::string_view key);
// The text of a token: its own, or the "content" of an object; empty if missing.
std::string token_of(const Json& object, std::string_view key);

}  // namespace bertprep
