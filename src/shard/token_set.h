// The manifest of a set of token sequences (docs/formats/sequences.md), as trainers read it, and what it has in common
// with that of rows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bertprep/shard/manifest.h"
#include "io/json.h"

namespace bertprep {

struct TokenSetFile {
  std::string name;  // inside the folder: "x_training_0.hdf5", "tokenizer/vocab.json"
  std::string sha256;
};

struct TokenSet {
  static constexpr const char* kFormat = "bertprep-sequences";
  // Where the folder has the files of its tokenizer.
  static constexpr const char* kTokenizerFolder = "tokenizer";

  std::string vocab_name;
  std::string vocab_sha256;
  std::int64_t vocab_size = 0;
  std::vector<TokenSetFile> files;

  // Nothing if the folder has no manifest, or one of something else. Throws IoError, FormatError.
  static std::optional<TokenSet> load(const std::filesystem::path& folder);
};

// Whether `folder` holds the manifest of a set of token sequences. Throws IoError.
bool is_sequence_set(const std::filesystem::path& folder);

// ManifestSource as JSON, in the manifests of rows and of sequences, and in plans of array jobs.
Json json_of(const std::vector<ManifestSource>& sources);
// Throws FormatError.
std::vector<ManifestSource> sources_in(const Json& list);

}  // namespace bertprep
