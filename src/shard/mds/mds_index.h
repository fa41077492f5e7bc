// index.json of an MDS set: the shards, in order, and what is known of each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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
  MdsFile raw;                 // as samples lie in it
  std::optional<MdsFile> zip;  // the file on the disk, when it is compressed
  std::uint64_t samples = 0;
};

// An entry of "shards".
Json mds_index_entry(const MdsFormat& format, const MdsShardFacts& shard);
// The same for a shard with this configuration, whatever its encodings are.
Json mds_index_entry(Json::Members configuration, const MdsShardFacts& shard);
// The file over the entries of one writer.
std::string mds_index(std::vector<Json> entries);

// One index over several, as merge_index() of the Streaming library makes it: every part is the text of the index in
// the folder of that name beside it. Throws FormatError for what is no index.
struct MdsIndexPart {
  std::string folder;  // "00003"
  std::string index;
};
std::string merge_mds_indexes(std::span<const MdsIndexPart> parts);

// "shard.00000.mds"
std::string mds_shard_name(std::uint64_t number);

}  // namespace bertprep
