#include "token/huggingface/tokenizer_folder.h"

#include <algorithm>

#include "base/address.h"
#include "bertprep/base/error.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "io/pending_file.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// It may have been edited, or belong to another model.
void refuse_other(const fs::path& file, const std::string& bytes, bool replace) {
  if (!fs::exists(fs::symlink_status(file))) return;
  if (!fs::is_regular_file(file)) throw FormatError("is not a file", file, "give another folder");
  if (replace || read_file(file) == bytes) return;
  throw FormatError("exists with other content", file, "give `force` to replace it, or another folder");
}

}  // namespace

void write_tokenizer_folder(const fs::path& folder, std::span<const TokenizerFile> files, bool replace) {
  refuse_address(folder.native());
  for (const TokenizerFile& file : files) refuse_other(folder / file.name, file.bytes, replace);
  make_folders(folder);
  remove_abandoned_files(folder);
  for (const TokenizerFile& file : files) publish_durably(folder / file.name, folder, file.bytes);
}

Json added_token_json(const AddedToken& token) {
  return Json::object()
      .add("id", Json::number(static_cast<std::uint64_t>(token.id)))
      .add("content", Json::string(token.content))
      .add("single_word", Json::boolean(false))
      .add("lstrip", Json::boolean(token.lstrip))
      .add("rstrip", Json::boolean(token.rstrip))
      .add("normalized", Json::boolean(token.normalized))
      .add("special", Json::boolean(token.special));
}

Json decoder_json(std::span<const AddedToken> tokens) {
  Json json = Json::object();
  for (const AddedToken& token : tokens) {
    json.add(std::to_string(token.id), Json::object()
                                           .add("content", Json::string(token.content))
                                           .add("lstrip", Json::boolean(token.lstrip))
                                           .add("normalized", Json::boolean(token.normalized))
                                           .add("rstrip", Json::boolean(token.rstrip))
                                           .add("single_word", Json::boolean(false))
                                           .add("special", Json::boolean(token.special)));
  }
  return json;
}

void refuse_part(const std::string& part, const std::string& where) {
  throw FormatError("asks for " + part + ", which is not supported", where,
                    "supported are the tokenizers of BERT (WordPiece) and of GPT-2, GPT-NeoX, OLMo, RoBERTa and "
                    "ModernBERT (byte-level BPE)");
}

void require_known_keys(const Json& object, std::initializer_list<std::string_view> known, const std::string& part,
                        const std::string& where) {
  for (const auto& [key, value] : object.members()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) refuse_part("\"" + key + "\" of " + part, where);
  }
}

void require_tokenizer(const Json& json, const std::string& where) {
  require_known_keys(json,
                     {"version", "truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer",
                      "post_processor", "decoder", "model"},
                     "a tokenizer", where);
  if (text_of(json, "version") != "1.0") refuse_part("version '" + text_of(json, "version") + "'", where);
}

const Json* find_value(const Json& object, std::string_view key) {
  const Json* value = object.find(key);
  return value == nullptr || value->kind() == Json::Kind::Null ? nullptr : value;
}

bool flag_of(const Json& object, std::string_view key) {
  const Json* value = find_value(object, key);
  return value != nullptr && value->as_bool();
}

std::string text_of(const Json& object, std::string_view key) {
  const Json* value = find_value(object, key);
  return value == nullptr ? std::string() : value->text();
}

std::string token_of(const Json& object, std::string_view key) {
  const Json* value = find_value(object, key);
  return value != nullptr && value->kind() == Json::Kind::Object ? text_of(*value, "content") : text_of(object, key);
}

}  // namespace bertprep
