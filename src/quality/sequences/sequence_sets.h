// Which sets of token sequences lie at a path.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bertprep {

struct SequenceSets {
  std::vector<std::filesystem::path> mds;       // folders with an index.json or shards, sorted
  std::vector<std::filesystem::path> megatron;  // PREFIX of PREFIX.bin and PREFIX.idx, sorted

  bool is_empty() const { return mds.empty() && megatron.empty(); }
};

// `path` is a folder that is a set or has sets below it; a file of a set; or PREFIX. A set below a set belongs to it.
// Throws IoError.
SequenceSets find_sequence_sets(const std::filesystem::path& path);

// Of "shard.00000.mds", and of "shard.00000.mds.zstd", whatever compressed it.
bool is_mds_shard(const std::string& name);

// "train", "val": names that folders of splits have.
bool is_split_name(const std::string& name);

}  // namespace bertprep
