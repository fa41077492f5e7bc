// Compares the vocabulary of the data with those of checkpoints, models and exports: ids are meaningless with a
// different one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "bertprep/base/progress.h"
#include "bertprep/shard/manifest.h"
#include "shard/token_set.h"
#include "trainer/weights/safetensors.h"

namespace bertprep {

// A checkpoint's record of its vocabulary; older versions have none.
struct NotedVocab {
  std::string name;
  std::string sha256;
};
void add_vocab_notes(const std::optional<ManifestVocab>& vocabulary, TensorNotes& notes);
std::optional<NotedVocab> noted_vocab(const SafetensorsFile& file);

// All of these throw ConfigError, which names both vocabularies, if they differ, and accept unknown ones.

// `file` was trained with `noted`; `hint` says what to do.
void require_noted_vocab(const std::optional<NotedVocab>& noted, const std::optional<ManifestVocab>& data,
                         const std::filesystem::path& file, const std::string& hint);

// Checks the vocab.txt next to a file of weights, as in other programs: line ends and blanks may differ if the shards
// in `data_folder` have a copy of theirs. Throws IoError.
void require_vocab_beside(const std::filesystem::path& weights, const std::optional<ManifestVocab>& data,
                          const std::filesystem::path& data_folder, const std::string& hint);

// Checks the vocab.txt of an earlier export to the folder. Throws IoError.
void refuse_other_export(const std::filesystem::path& folder, const std::optional<ManifestVocab>& data,
                         const std::filesystem::path& data_folder);

// Writes vocab.txt, tokenizer.json, tokenizer_config.json and special_tokens_map.json next to the exported model, for
// HuggingFace's BertTokenizer and AutoTokenizer. If the shards have no copy of their vocabulary, as in datasets of
// older versions, or not the one of the manifest, writes nothing but a note. Throws IoError, FormatError.
void export_tokenizer(const std::filesystem::path& folder, const std::filesystem::path& data_folder,
                      const std::optional<ManifestVocab>& data, std::int64_t max_tokens, Progress& observer);

// The tokenizer in a set of token sequences (docs/formats/sequences.md), for models that are trained on it:

// The id of its end of a text; nothing if `data_folder` has no tokenizer, or the tokenizer has no such id. Throws
// IoError, FormatError.
std::optional<std::int64_t> end_token_of(const std::filesystem::path& data_folder);

// Throws ConfigError, which ends in `hint`, if `folder` has a vocab.json with other ids than that of the data. Accepts
// unknown ones.
void require_same_tokens(const std::filesystem::path& folder, const std::filesystem::path& data_folder,
                         const std::string& hint);

// Copies the tokenizer of `set`, which is in `data_folder`, next to an exported model. Throws IoError; FormatError for
// a file that contradicts the manifest.
void copy_tokenizer(const TokenSet& set, const std::filesystem::path& data_folder, const std::filesystem::path& folder);

}  // namespace bertprep
