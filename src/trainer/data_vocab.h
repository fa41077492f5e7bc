// The vocabulary of the data against those of checkpoints, models and exports: ids mean nothing without the same one.
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

// What a checkpoint notes of the vocabulary it was trained with; nothing in those of older versions.
struct NotedVocab {
  std::string name;
  std::string sha256;
};
void add_vocab_notes(const std::optional<ManifestVocab>& vocabulary, TensorNotes& notes);
std::optional<NotedVocab> noted_vocab(const SafetensorsFile& file);

// All of these throw ConfigError that names both vocabularies when they differ, and accept what is not known.

// `file` was trained with `noted`; `cure` says what to do.
void require_noted_vocab(const std::optional<NotedVocab>& noted, const std::optional<ManifestVocab>& data,
                         const std::filesystem::path& file, const std::string& cure);

// The vocab.txt beside a file of weights, as other programs have it: line ends and blanks may differ where the shards
// in `data_folder` have a copy of theirs. Throws IoError.
void require_vocab_beside(const std::filesystem::path& weights, const std::optional<ManifestVocab>& data,
                          const std::filesystem::path& data_folder, const std::string& cure);

// The vocab.txt of an earlier export to the folder. Throws IoError.
void refuse_other_export(const std::filesystem::path& folder, const std::optional<ManifestVocab>& data,
                         const std::filesystem::path& data_folder);

// Writes vocab.txt, tokenizer.json, tokenizer_config.json and special_tokens_map.json beside the exported model, as
// HuggingFace's BertTokenizer and AutoTokenizer load them. Where the shards have no copy of their vocabulary, as in
// datasets of older versions, or not the one of the manifest, nothing is written and a note says so. Throws IoError,
// FormatError.
void export_tokenizer(const std::filesystem::path& folder, const std::filesystem::path& data_folder,
                      const std::optional<ManifestVocab>& data, std::int64_t max_tokens, Progress& observer);

// The tokenizer in a set of token sequences (docs/formats/sequences.md), for models that are trained on it:

// The id of its end of a text; nothing where `data_folder` has no tokenizer, or one without. Throws IoError,
// FormatError.
std::optional<std::int64_t> end_token_of(const std::filesystem::path& data_folder);

// Throws ConfigError, which ends in `cure`, where `folder` has a vocab.json with other ids than that of the data.
// Accepts what is not known.
void require_same_tokens(const std::filesystem::path& folder, const std::filesystem::path& data_folder,
                         const std::string& cure);

// Copies the tokenizer of `set`, which lies in `data_folder`, beside an exported model. Throws IoError; FormatError for
// a file that is not the one that the manifest describes.
void copy_tokenizer(const TokenSet& set, const std::filesystem::path& data_folder, const std::filesystem::path& folder);

}  // namespace bertprep
