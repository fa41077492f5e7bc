#include "pipeline/records/dataset_vocab.h"

#include <algorithm>
#include <system_error>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "bertprep/token/text_encoder.h"
#include "io/digest.h"
#include "io/folder.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/damage.h"
#include "pipeline/records/run_description.h"
#include "token/token_words.h"
#include "token/tokenizer_files.h"
#include "token/vocab_catalogue.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// The record of `vocab train` next to the file.
std::optional<SaidText> trained_text(const fs::path& file, const std::string& sha256) {
  const auto record = find_record(folder_of(file), file.filename().string());
  if (!record || record->outputs.size() != 1 || record->outputs.front().sha256 != sha256) return std::nullopt;
  const Json* lower_case = record->recipe.find("lower-case");
  if (lower_case == nullptr) return std::nullopt;
  SaidText text{.lower_case = lower_case->text() == "true", .by = "'vocab train'"};
  const Json* accents = record->recipe.find("strip-accents");
  text.strip_accents = accents == nullptr ? text.lower_case : accents->text() == "yes";
  return text;
}

// The copy with the shards of a dataset.
std::optional<SaidText> used_text(const fs::path& file, const std::string& sha256) {
  if (file.filename() != ManifestVocab::kFileName) return std::nullopt;
  const auto manifest = Manifest::find(folder_of(file));
  if (!manifest || !manifest->vocabulary || manifest->vocabulary->sha256 != sha256) return std::nullopt;
  const ManifestVocab& vocab = *manifest->vocabulary;
  return SaidText{.lower_case = vocab.lower_case,
                  .strip_accents = vocab.strip_accents,
                  .by = (folder_of(file) / Manifest::kFileName).string()};
}

std::optional<SaidText> recorded_text(const std::string& name_or_path, const std::string& known_sha256) {
  if (auto said = text_of_files(name_or_path, known_sha256)) return said;
  const fs::path file = pieces_file(name_or_path);
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return std::nullopt;
  const std::string sha256 = known_sha256.empty() ? sha256_of_file(file) : known_sha256;
  if (auto trained = trained_text(file, sha256)) return trained;
  if (auto used = used_text(file, sha256)) return used;
  return configured_text(file);
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
  if (!found) return false;
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

// The pieces that no text gives with these options; none if a record of the vocabulary says how text is read.
UnreachablePieces unexplained_pieces(const std::string& name_or_path, const Vocab& vocab,
                                     const TokenizerOptions& options) {
  if (options.custom != nullptr || recorded_text(name_or_path, vocab.sha256())) return {};
  return unreachable_pieces(vocab, options);
}

}  // namespace

SaidText text_of_tokenizer(const std::string& name_or_path) {
  std::error_code error;
  const bool is_tokenizer = fs::is_directory(name_or_path, error) || fs::path(name_or_path).extension() == ".json";
  if (!is_tokenizer || is_byte_pair_path(name_or_path)) return {};
  return recorded_text(name_or_path, {}).value_or(SaidText());
}

void require_fitting_case(const std::string& name_or_path, const TokenizerOptions& options, const std::string& sha256) {
  refuse_byte_pairs(name_or_path);
  if (options.custom != nullptr) return;
  if (const auto said = recorded_text(name_or_path, sha256)) require_said_text(name_or_path, *said, options);
}

GivenText given_text(std::span<const GivenOption> options) {
  const auto is_given = [&](std::string_view name) {
    return std::ranges::any_of(options, [&](const GivenOption& option) {
      return option.name == name && (option.is_flag || !option.is_default);
    });
  };
  return {is_given("lower-case"), is_given("strip-accents")};
}

std::string text_in_words(bool lower_case, bool strip_accents) {
  return std::string(lower_case ? "in lower case" : "with its capitals") + ", accents are " +
         (strip_accents ? "stripped" : "kept");
}

void adopt_vocab_text(GivenText given, const std::string& vocabulary, TokenizerOptions& tokenizer, Progress& progress) {
  const SaidText said = text_of_tokenizer(vocabulary);
  if (!said.lower_case) return;
  TokenizerOptions adopted = tokenizer;
  if (!given.lower_case) adopted.lower_case = *said.lower_case;
  // Left as it is, the contradiction is an error.
  if (adopted.lower_case != *said.lower_case) return;
  if (said.strip_accents && !given.strip_accents) {
    adopted.strip_accents = options_of_said_text(said).strip_accents;
  }
  const bool is_as_before =
      adopted.lower_case == tokenizer.lower_case && adopted.strip_accents == tokenizer.strip_accents;
  tokenizer = adopted;
  if (is_as_before) return;
  progress.note("the text is read as " + (said.by.empty() ? "the catalogue" : said.by) +
                " says: " + text_in_words(tokenizer.lower_case, normalization_of(tokenizer).strip_accents));
}

void require_reachable_pieces(GivenText given, const std::string& vocabulary, const Vocab& vocab,
                              const TokenizerOptions& tokenizer, Progress& progress) {
  const UnreachablePieces found = unexplained_pieces(vocabulary, vocab, tokenizer);
  if (found.pieces == 0) return;
  const bool lower_case = tokenizer.lower_case;
  const std::string what = "the vocabulary '" + vocabulary + "': " + grouped(found.pieces) + " of its " +
                           counted(found.of, "piece") + ", such as '" + found.example + "', can't occur in " +
                           (lower_case ? "text that is turned into lower case" : "text without accents");
  if (!found.are_many() || given.lower_case || given.strip_accents) {
    return progress.note(what);
  }
  throw ConfigError(what, {},
                    "give `lower_case` false for a cased vocabulary, `strip_accents` no for one with accents, or "
                    "`lower_case` true if this is meant");
}

void refuse_foreign_vocab(const fs::path& folder, const std::string& sha256, const WorkOptions& work) {
  if (work.force) return;
  const auto there = digest_in(folder);
  if (!there || *there == sha256 || is_of_a_run(folder, *there) || is_of_this_run(folder, sha256)) return;
  throw FormatError("holds another vocabulary than that of this run, and no run left it there",
                    folder / ManifestVocab::kFileName, "choose another folder, or give `force` to replace it");
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
