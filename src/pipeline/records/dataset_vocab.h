// The vocabulary of a dataset: how text is read for it, and its copy with the shards, vocab.txt.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "base/fields.h"
#include "bertprep/base/progress.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/shard/manifest.h"
#include "bertprep/token/vocab.h"
#include "io/json.h"
#include "pipeline/records/output_folder.h"
#include "token/tokenizer_files.h"

namespace bertprep {

// What the files of a tokenizer say about letters: tokenizer.json, or a folder with its tokenizer_config.json, the
// manifest of a dataset, or a vocabulary that the catalogue knows. Nothing for a file of pieces, or a name.
// Throws as load_vocab().
SaidText text_of_tokenizer(const std::string& name_or_path);

// Throws ConfigError if the recorded case or accents of the vocabulary differ from those of the text: as recorded by
// the tokenizer's files, the catalogue, `vocab train`, or an adjacent manifest or tokenizer_config.json. `name_or_path`
// is from the options and need not be on this machine yet; `sha256` is its digest, if known. Accepts a vocabulary
// without such a record. Refuses a byte-level BPE tokenizer: it has no WordPieces.
void require_fitting_case(const std::string& name_or_path, const TokenizerOptions& options,
                          const std::string& sha256 = {});

// Which of --lower-case and --strip-accents the user gave.
struct GivenText {
  bool lower_case = false;
  bool strip_accents = false;
};
// A configuration file may name all options, with their defaults.
GivenText given_text(std::span<const GivenOption> options);

// "in lower case, accents are stripped"
std::string text_in_words(bool lower_case, bool strip_accents);

// Sets both, unless given, to what the files of the tokenizer `vocabulary` say, and notes that they differ from the
// defaults. Throws as load_vocab().
void adopt_vocab_text(GivenText given, const std::string& vocabulary, TokenizerOptions& tokenizer, Progress& progress);

// For a vocabulary of which no record says how text is read: throws ConfigError if many of its pieces can't occur in
// text as it is read, unless this was asked for; else notes their number.
void require_reachable_pieces(GivenText given, const std::string& vocabulary, const Vocab& vocab,
                              const TokenizerOptions& tokenizer, Progress& progress);

// Throws FormatError if `folder` has a different vocab.txt but nothing of a run with this or that vocabulary, unless
// forced.
void refuse_foreign_vocab(const std::filesystem::path& folder, const std::string& sha256, const WorkOptions& work);

// Removes one left by a run with another vocabulary, or any with --force, after all other checks. Throws as
// refuse_foreign_vocab().
void withdraw_vocab(const std::filesystem::path& folder, const std::string& sha256, const WorkOptions& work);

// Writes vocab.txt into `folder`, which is this run's, unless it exists with the same bytes. Replaces a damaged copy;
// keeps an edited one under another name. Several processes may do so at once. Throws IoError.
void put_vocab(const OutputFolder& folder, const Vocab& vocab, Progress& progress);

// The manifest's entry for the vocabulary of shards made by `recipe`, with it as `given_name`; nothing without a copy
// of it in the folder.
std::optional<ManifestVocab> copied_vocab(const OutputFolder& folder, const Json& recipe,
                                          const std::string& given_name);

}  // namespace bertprep
