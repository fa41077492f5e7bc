#include "trainer/data_tokenizer.h"

#include <map>
#include <system_error>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "io/json.h"
#include "io/pending_file.h"
#include "trainer/checkpoint_folder.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTokens = "vocab.json";

std::optional<Json> json_if_any(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return std::nullopt;
  return Json::parse(read_file(file), file.string());
}

std::map<std::string, std::string> ids_of(const Json& tokens) {
  std::map<std::string, std::string> ids;
  for (const auto& [token, id] : tokens.members()) ids[token] = id.text();
  return ids;
}

// As text, or as an object with a text.
std::string content_of(const Json* token) {
  if (token == nullptr) return {};
  if (token->kind() == Json::Kind::String) return token->text();
  if (token->kind() != Json::Kind::Object) return {};
  return content_of(token->find("content"));
}

}  // namespace

std::optional<std::int64_t> end_token_of(const fs::path& data_folder) {
  const fs::path folder = data_folder / TokenSet::kTokenizerFolder;
  const auto config = json_if_any(folder / "tokenizer_config.json");
  if (!config) return std::nullopt;
  const std::string end = content_of(config->find("eos_token"));
  const Json* const added = config->find("added_tokens_decoder");
  if (end.empty() || added == nullptr) return std::nullopt;
  for (const auto& [id, token] : added->members()) {
    if (content_of(&token) == end) return static_cast<std::int64_t>(Json::number_text(id).as_unsigned());
  }
  return std::nullopt;
}

void require_same_tokens(const fs::path& folder, const fs::path& data_folder, const std::string& cure) {
  const auto theirs = json_if_any(folder / kTokens);
  const auto ours = json_if_any(data_folder / TokenSet::kTokenizerFolder / kTokens);
  if (!theirs || !ours || ids_of(*theirs) == ids_of(*ours)) return;
  throw ConfigError("has other tokens than " + (data_folder / TokenSet::kTokenizerFolder / kTokens).string(),
                    folder / kTokens, cure);
}

void copy_tokenizer(const TokenSet& set, const fs::path& data_folder, const fs::path& folder) {
  const std::string prefix = std::string(TokenSet::kTokenizerFolder) + "/";
  const fs::path unfinished = unfinished_folder(folder);
  for (const TokenSetFile& file : set.files) {
    if (!file.name.starts_with(prefix)) continue;
    const std::string bytes = read_file(data_folder / file.name);
    if (sha256_of(bytes) != file.sha256) {
      throw FormatError("is not the file that the manifest describes", data_folder / file.name,
                        "run the command of the set again");
    }
    publish_durably(folder / fs::path(file.name).filename(), unfinished, bytes);
  }
  tidy_unfinished(folder);
}

}  // namespace bertprep
