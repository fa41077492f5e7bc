#include "trainer/data_vocab.h"

#include <algorithm>
#include <map>
#include <system_error>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "io/json.h"
#include "io/pending_file.h"
#include "token/huggingface/wordpiece_files.h"
#include "trainer/checkpoint_folder.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSha256Note = "vocabulary-sha256";
constexpr const char* kNameNote = "vocabulary";

std::string in_words(const std::string& name, const std::string& sha256) {
  return name.empty() ? "the one with the SHA-256 " + sha256 : "'" + name + "' (SHA-256 " + sha256 + ")";
}

[[noreturn]] void throw_other_vocab(const std::string& theirs, const ManifestVocab& data, const fs::path& file,
                                    const std::string& hint) {
  throw ConfigError(
      "has the vocabulary " + theirs + ", and the shards were made with " + in_words(data.name, data.sha256), file,
      hint);
}

// The copy with the shards, or in the tokenizer of token sequences.
std::optional<std::string> bytes_of(const ManifestVocab& data, const fs::path& data_folder) {
  auto bytes = read_file_if_any(data_folder / ManifestVocab::kFileName);
  if (!bytes) bytes = read_file_if_any(data_folder / TokenSet::kTokenizerFolder / ManifestVocab::kFileName);
  if (bytes && sha256_of(*bytes) != data.sha256) bytes.reset();
  return bytes;
}

bool is_valid(const std::string& bytes) {
  return !find_invalid_utf8(bytes).has_value();
}

void require_same_pieces(const fs::path& file, const std::optional<ManifestVocab>& data, const fs::path& data_folder,
                         const std::string& hint) {
  const auto theirs = data ? read_file_if_any(file) : std::nullopt;
  if (!theirs || sha256_of(*theirs) == data->sha256) return;
  const auto ours = bytes_of(*data, data_folder);
  if (ours && is_valid(*theirs) && split_stripped_lines(*theirs) == split_stripped_lines(*ours)) return;
  throw_other_vocab(in_words({}, sha256_of(*theirs)), *data, file, hint);
}

constexpr const char* kTokens = "vocab.json";

std::optional<Json> json_if_any(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return std::nullopt;
  return read_json(file);
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

void add_vocab_notes(const std::optional<ManifestVocab>& vocabulary, TensorNotes& notes) {
  if (!vocabulary) return;
  if (!vocabulary->name.empty()) notes.emplace_back(kNameNote, vocabulary->name);
  notes.emplace_back(kSha256Note, vocabulary->sha256);
}

std::optional<NotedVocab> noted_vocab(const SafetensorsFile& file) {
  NotedVocab noted{file.note(kNameNote), file.note(kSha256Note)};
  if (noted.sha256.empty()) return std::nullopt;
  return noted;
}

void require_noted_vocab(const std::optional<NotedVocab>& noted, const std::optional<ManifestVocab>& data,
                         const fs::path& file, const std::string& hint) {
  if (!noted || !data || noted->sha256 == data->sha256) return;
  throw_other_vocab(in_words(noted->name, noted->sha256), *data, file, hint);
}

void require_vocab_beside(const fs::path& weights, const std::optional<ManifestVocab>& data,
                          const fs::path& data_folder, const std::string& hint) {
  require_same_pieces(weights.parent_path() / ManifestVocab::kFileName, data, data_folder, hint);
  require_same_tokens(weights.parent_path(), data_folder, hint);
}

void refuse_other_export(const fs::path& folder, const std::optional<ManifestVocab>& data,
                         const fs::path& data_folder) {
  require_same_pieces(folder / ManifestVocab::kFileName, data, data_folder, "give `export` another folder");
  require_same_tokens(folder, data_folder, "give `export` another folder");
  const fs::path ours = data_folder / ManifestVocab::kFileName;
  const auto bytes = data ? read_file_if_any(ours) : std::nullopt;
  if (!bytes || sha256_of(*bytes) == data->sha256) return;
  throw FormatError("is not the vocabulary that the manifest names, so its tokenizer can't be exported", ours,
                    "run the command that made the shards again: it restores the file");
}

void export_tokenizer(const fs::path& folder, const fs::path& data_folder, const std::optional<ManifestVocab>& data,
                      std::int64_t max_tokens, Progress& observer) {
  if (const auto set = TokenSet::load(data_folder)) return copy_tokenizer(*set, data_folder, folder);
  const auto vocab = data ? bytes_of(*data, data_folder) : std::nullopt;
  if (!vocab) {
    observer.note("the tokenizer's files are not exported: " + data_folder.string() +
                  " has no vocab.txt that its manifest names; make the shards again to get it");
    return;
  }
  const fs::path unfinished = unfinished_folder(folder);
  const Normalization cleaning{.lower_case = data->lower_case, .strip_accents = data->strip_accents};
  for (const TokenizerFile& file : wordpiece_files(*vocab, cleaning, max_tokens)) {
    publish_durably(folder / file.name, unfinished, file.bytes);
  }
  tidy_unfinished(folder);
}

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

void require_same_tokens(const fs::path& folder, const fs::path& data_folder, const std::string& hint) {
  const auto theirs = json_if_any(folder / kTokens);
  const auto ours = json_if_any(data_folder / TokenSet::kTokenizerFolder / kTokens);
  if (!theirs || !ours || ids_of(*theirs) == ids_of(*ours)) return;
  throw ConfigError("has other tokens than " + (data_folder / TokenSet::kTokenizerFolder / kTokens).string(),
                    folder / kTokens, hint);
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
