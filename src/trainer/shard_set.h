// ShardSet: the shards of a folder that one purpose takes, looked at before the first step.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/shard/schema.h"

namespace bertprep {

struct ShardEntry {
  std::filesystem::path path;
  std::uint64_t rows = 0;
};

struct ShardSet {
  std::vector<ShardEntry> shards;  // sorted by name
  std::size_t seq_len = 0;
  std::size_t max_predictions = 0;
  std::string word;                        // in the names of its files
  std::optional<std::int64_t> vocab_size;  // what the manifest says

  std::uint64_t rows() const;
  // Names and row counts in one digest: a checkpoint goes on with the same data only.
  std::string fingerprint() const;
};

// The files of `folder` that end in .hdf5 or .h5 and have `word` ("training", "test") in their names; where both stand
// in a name, the last one counts. Opens each one. Throws IoError, ConfigError when `required` and there is none or no
// row in them, FormatError when a file is no shard or has other lengths than the first, Cancelled.
ShardSet list_shards(const std::filesystem::path& folder, const std::string& word, bool required,
                     const Progress& progress = {});

// Throws FormatError when shards with `word` in their names are missing in `folder`, or are of several recipes, as far
// as the folder tells (find_gaps).
void require_whole(const std::filesystem::path& folder, const std::string& word);

// Reads every row, and compares with manifest.json where there is one. Throws FormatError for the first shard with a
// fault, ConfigError when a token id is not below `vocab_size`, Cancelled.
void check_shards(const ShardSet& set, std::int64_t vocab_size, Progress& progress);

// Throws ConfigError or FormatError when a model can't take the rows of a shard, which begin with row `first` of it,
// though all else may be wrong with them: an id, position, segment or label beyond its range.
void require_in_range(const Batch& rows, std::uint64_t first, const ShardSet& set, const std::filesystem::path& path);

}  // namespace bertprep
