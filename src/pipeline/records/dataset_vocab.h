// The vocabulary of a dataset: whether its case fits the options, and its copy beside the shards, vocab.txt.
#pragma once

#include <filesystem>
#include <string>

#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/shard/manifest.h"
#include "bertprep/token/vocab.h"
#include "io/json.h"
#include "pipeline/records/output_folder.h"

namespace bertprep {

// Throws ConfigError when the vocabulary is recorded to be of the other case than the text will be: by the catalogue,
// by `vocab train`, or by the manifest or tokenizer_config.json beside it. `name_or_path` is what the options ask for,
// which need not be on this machine yet; `sha256` its digest where that is known. A vocabulary that nothing is recorded
// of fits. A byte-level BPE tokenizer is refused: it has no WordPieces.
void require_fitting_case(const std::string& name_or_path, const TokenizerOptions& options,
                          const std::string& sha256 = {});

// Throws FormatError when `folder` holds a vocab.txt of other content and nothing of a run with this vocabulary or that
// one, unless it is forced not to.
void refuse_foreign_vocab(const std::filesystem::path& folder, const std::string& sha256, const WorkOptions& work);

// Removes one that a run with another vocabulary left there, when nothing else can be refused any more; any with
// --force. Throws as refuse_foreign_vocab() does.
void withdraw_vocab(const std::filesystem::path& folder, const std::string& sha256, const WorkOptions& work);

// Writes vocab.txt into `folder`, which is this run's, if it is not there with the same bytes. A damaged copy is made
// again; one that somebody has edited since is kept aside. Several processes may do so at once. Throws IoError.
void put_vocab(const OutputFolder& folder, const Vocab& vocab, Progress& progress);

// The same where all shards are made already, with the vocabulary that they were made with if that is what
// `name_or_path` still means. Throws as load_vocab() does.
void mend_vocab(const OutputFolder& folder, const std::string& name_or_path, Progress& progress);

// What the manifest says of the vocabulary of shards that were made by `recipe`, with it as `given_name`; nothing where
// no copy of it lies in the folder.
std::optional<ManifestVocab> copied_vocab(const OutputFolder& folder, const Json& recipe,
                                          const std::string& given_name);

}  // namespace bertprep
