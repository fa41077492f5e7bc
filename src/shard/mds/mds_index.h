// index.json of an MDS set: the shards, in order, with facts about each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/json.h"
#include "shard/mds/mds_format.h"

namespace bertprep {

inline constexpr const char* kMdsIndexName = "index.json";

struct MdsFile {
  std::string basename;  // relative to the index: "shard.00000.mds", "00003/shard.00000.mds"
  std::uint64_t bytes = 0;
  std::vector<std::pair<std::string, std::string>> hashes;  // name, lower-case hex
};

struct MdsShardFacts {
  MdsFile raw;                 // the uncompressed samples
  std::optional<MdsFile> zip;  // the file on disk, if compressed
  std::uint64_t samples = 0;
};

// An entry of "shards".
Json mds_index_entry(const MdsFormat& format, const MdsShardFacts& shard);
// The same for a shard with this configuration, with any encodings.
Json mds_index_entry(Json::Members configuration, const MdsShardFacts& shard);
// The index of one writer's entries.
std::string mds_index(std::vector<Json> entries);

// The index of the entries of several writers, whose shards are in subfolders: the same, in another order.
std::string merged_mds_index(std::vector<Json> entries);

// Merges several indexes like merge_index() of the Streaming library: every part is the text of the index in the
// subfolder of that name. Throws FormatError for text that is not an index.
struct MdsIndexPart {
  std::string folder;  // "00003"
  std::string index;
};
std::string merge_mds_indexes(std::span<const MdsIndexPart> parts);

// "shard.00000.mds"
std::string mds_shard_name(std::uint64_t number);

}  // namespace bertprep
