// Finds sets of token sequences at a path.
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

// `path` is a folder that is a set or contains some; a file of a set; or PREFIX. A set within a set belongs to it.
// Throws IoError.
SequenceSets find_sequence_sets(const std::filesystem::path& path);

// Of "shard.00000.mds", and of "shard.00000.mds.zstd", with any compression.
bool is_mds_shard(const std::string& name);

// "train", "val": typical names of split folders.
bool is_split_name(const std::string& name);

}  // namespace bertprep
