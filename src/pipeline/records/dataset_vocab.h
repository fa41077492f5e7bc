// The vocabulary of a dataset: whether its case matches the options, and its copy with the shards, vocab.txt.
#pragma once

#include <filesystem>
#include <string>

#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/shard/manifest.h"
#include "bertprep/token/vocab.h"
#include "io/json.h"
#include "pipeline/records/output_folder.h"
#include "token/said_text.h"
#include "token/unreachable_pieces.h"

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

// The pieces that no text gives with these options; none if a record of the vocabulary says how text is read.
UnreachablePieces unexplained_pieces(const std::string& name_or_path, const Vocab& vocab,
                                     const TokenizerOptions& options);

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
