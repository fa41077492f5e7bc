// What the files of HuggingFace's tokenizers share: the folder that is written, and JSON by others, of which unknown
// parts are refused by name.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "bertprep/token/vocab.h"
#include "io/json.h"

namespace bertprep {

inline constexpr const char* kTokenizerFile = "tokenizer.json";
inline constexpr const char* kConfigFile = "tokenizer_config.json";

struct TokenizerFile {
  std::string name;
  std::string bytes;
};

// Text that is matched as a whole, before any other rule.
struct AddedToken {
  TokenId id = 0;
  std::string content;
  bool lstrip = false;      // includes the white space before it
  bool rstrip = false;      // and after it
  bool normalized = false;  // is searched for in normalized text
  bool special = false;     // a control token
};

// As in "added_tokens" (tokenizer.json), and in "added_tokens_decoder" (tokenizer_config.json).
Json added_token_json(const AddedToken& token);
Json decoder_json(std::span<const AddedToken> tokens);

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
