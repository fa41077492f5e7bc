#include "pipeline/records/dataset_vocab.h"

#include <algorithm>
#include <optional>
#include <system_error>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/folder.h"
#include "pipeline/records/edited_files.h"
#include "pipeline/records/record_reader.h"
#include "pipeline/records/run_description.h"
#include "token/vocab_catalogue.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// The record of `vocab train` next to the file.
std::optional<bool> trained_in_lower_case(const fs::path& file, const std::string& sha256) {
  const auto record = find_record(folder_of(file), file.filename().string());
  if (!record || record->outputs.size() != 1 || record->outputs.front().sha256 != sha256) return std::nullopt;
  const Json* lower_case = record->recipe.find("lower-case");
  if (lower_case == nullptr) return std::nullopt;
  return lower_case->text() == "true";
}

// The copy with the shards of a dataset.
std::optional<bool> used_in_lower_case(const fs::path& file, const std::string& sha256) {
  if (file.filename() != ManifestVocab::kFileName) return std::nullopt;
  const auto manifest = Manifest::find(folder_of(file));
  if (!manifest || !manifest->vocabulary || manifest->vocabulary->sha256 != sha256) return std::nullopt;
  return manifest->vocabulary->lower_case;
}

// HuggingFace's folder of a tokenizer, also as written by `berttrain --export`. Unreadable files count as missing.
std::optional<bool> configured_in_lower_case(const fs::path& file) {
  const fs::path config = folder_of(file) / "tokenizer_config.json";
  std::error_code error;
  if (file.filename() != ManifestVocab::kFileName || !fs::is_regular_file(config, error)) return std::nullopt;
  try {
    const Json json = read_json(config);
    const Json* lower_case = json.find("do_lower_case");
    if (lower_case == nullptr) return std::nullopt;
    return lower_case->as_bool();
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::optional<bool> recorded_lower_case(const std::string& name_or_path, const std::string& known_sha256) {
  std::error_code error;
  const bool is_file = fs::is_regular_file(name_or_path, error);
  const std::string sha256 = known_sha256.empty() && is_file ? sha256_of_file(name_or_path) : known_sha256;
  for (const KnownVocab& known : known_vocabs()) {
    const bool is_meant = sha256.empty() ? known.is_called(name_or_path) : known.sha256 == sha256;
    if (is_meant) return !known.cased;
  }
  if (!is_file) return std::nullopt;
  if (const auto trained = trained_in_lower_case(name_or_path, sha256)) return trained;
  if (const auto used = used_in_lower_case(name_or_path, sha256)) return used;
  return configured_in_lower_case(name_or_path);
}

// Whether a run with this vocabulary has announced itself.
bool is_planned(const fs::path& state_folder, const std::string& sha256) {
  const auto run = RunDescription::find(state_folder);
  return run && std::ranges::any_of(run->phases, [&](const RunPhase& phase) {
           const Json* used = phase.recipe.find("vocab-sha256");
           return used != nullptr && used->text() == sha256;
         });
}

// Whether a run made this file, by its manifest or one of its shards.
bool is_of_a_run(const fs::path& folder, const std::string& sha256) {
  if (const auto manifest = Manifest::find(folder)) return manifest->recipe_value("vocab-sha256") == sha256;
  const auto found = OutputFolder::find_shared(folder);
  std::error_code error;
  if (!found) return false;
  if (!fs::is_directory(found->state_folder() / "records", error)) return false;
  for (const std::string& task : found->recorded_tasks()) {
    const auto record = found->record(task);
    const Json* used = record ? record->recipe.find("vocab-sha256") : nullptr;
    if (used != nullptr && used->text() == sha256) return true;
  }
  return false;
}

// Whether the folder is that of a run with this vocabulary, which may have no shard yet.
bool is_of_this_run(const fs::path& folder, const std::string& sha256) {
  const auto found = OutputFolder::find_shared(folder);
  return (found && is_planned(found->state_folder(), sha256)) || is_of_a_run(folder, sha256);
}

// The digest of vocab.txt in `folder`; nothing if there is none.
std::optional<std::string> digest_in(const fs::path& folder) {
  const fs::path file = folder / ManifestVocab::kFileName;
  if (!fs::exists(file)) return std::nullopt;
  return sha256_of_file(file);
}

std::optional<fs::file_time_type> newest_record(const OutputFolder& folder) {
  std::optional<fs::file_time_type> newest;
  for (const std::string& task : folder.recorded_tasks()) {
    const auto recorded = folder.recorded_at(task);
    if (recorded && (!newest || *recorded > *newest)) newest = recorded;
  }
  return newest;
}

// Whether it is newer than all other results of a run in the folder: then it was edited.
bool is_newest(const OutputFolder& folder, const fs::path& file) {
  std::error_code error;
  const fs::file_time_type written = fs::last_write_time(file, error);
  if (error) return false;
  const fs::file_time_type finished = fs::last_write_time(folder.path() / Manifest::kFileName, error);
  if (!error && finished >= written) return false;
  const auto recorded = newest_record(folder);
  return !recorded || *recorded < written;
}

}  // namespace

void require_fitting_case(const std::string& name_or_path, const TokenizerOptions& options, const std::string& sha256) {
  refuse_byte_pairs(name_or_path);
  if (options.custom != nullptr) return;
  const auto lower_case = recorded_lower_case(name_or_path, sha256);
  if (!lower_case || *lower_case == options.lower_case) return;
  const std::string vocab = "the vocabulary '" + name_or_path + "' is ";
  if (*lower_case) {
    throw ConfigError(vocab + "in lower case, and --no-lower-case keeps the capitals of the text", {},
                      "leave --no-lower-case out, or give a cased vocabulary");
  }
  throw ConfigError(vocab + "cased, and the text is turned into lower case", {},
                    "give --no-lower-case, or a vocabulary in lower case");
}

void refuse_foreign_vocab(const fs::path& folder, const std::string& sha256, const WorkOptions& work) {
  if (work.force) return;
  const auto there = digest_in(folder);
  if (!there || *there == sha256 || is_of_a_run(folder, *there) || is_of_this_run(folder, sha256)) return;
  throw FormatError("holds another vocabulary than that of this run, and no run left it there",
                    folder / ManifestVocab::kFileName, "choose another folder, or give --force to replace it");
}

void withdraw_vocab(const fs::path& folder, const std::string& sha256, const WorkOptions& work) {
  refuse_foreign_vocab(folder, sha256, work);
  const auto there = digest_in(folder);
  if (!there || *there == sha256) return;
  if (!work.force && is_of_this_run(folder, sha256)) return;  // this run's own, changed since: put_vocab() handles it
  fs::remove(folder / ManifestVocab::kFileName);
}

void put_vocab(const OutputFolder& folder, const Vocab& vocab, Progress& progress) {
  const fs::path file = folder.path() / ManifestVocab::kFileName;
  const auto there = digest_in(folder.path());
  if (there == vocab.sha256()) return;
  // A file of another size, or a newer one, was edited; flipped bits change neither.
  if (there && (is_newest(folder, file) || fs::file_size(file) != vocab.bytes().size())) {
    keep_aside(file, progress);
  } else if (there) {
    progress.note(file.string() + " is damaged: its bytes are not those that were written; it is made again");
  }
  folder.publish_small(ManifestVocab::kFileName, vocab.bytes());
  // No newer than the shards, so that its time distinguishes edits from damage.
  std::error_code ignored;
  if (const auto recorded = newest_record(folder)) fs::last_write_time(file, *recorded, ignored);
}

void repair_vocab(const OutputFolder& folder, const std::string& name_or_path, Progress& progress) {
  std::string sha256;
  for (const std::string& task : folder.recorded_tasks()) {
    const auto record = folder.record(task);
    const Json* used = record ? record->recipe.find("vocab-sha256") : nullptr;
    if (used != nullptr) sha256 = used->text();
  }
  if (sha256.empty() || digest_in(folder.path()) == sha256) return;
  const Vocab vocab = load_vocab(name_or_path);
  if (vocab.sha256() == sha256) put_vocab(folder, vocab, progress);
}

std::optional<ManifestVocab> copied_vocab(const OutputFolder& folder, const Json& recipe,
                                          const std::string& given_name) {
  const Json* sha256 = recipe.find("vocab-sha256");
  if (sha256 == nullptr || digest_in(folder.path()) != sha256->text()) return std::nullopt;
  ManifestVocab vocab{.name = given_name, .sha256 = sha256->text()};
  for (const KnownVocab& known : known_vocabs()) {
    if (known.sha256 == vocab.sha256) vocab.name = known.name;
  }
  vocab.size = Json::number_text(recipe.at("vocab-size").text()).as_unsigned();
  vocab.lower_case = recipe.at("lower-case").text() == "true";
  const Json* accents = recipe.find("strip-accents");
  vocab.strip_accents = accents == nullptr ? vocab.lower_case : accents->text() == "yes";
  return vocab;
}

}  // namespace bertprep
