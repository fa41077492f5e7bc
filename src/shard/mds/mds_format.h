// MDS, version 2: the sample format of MosaicML Streaming, used by ModernBERT, EuroBERT and llm-foundry.
//
// A set is a folder of shards `shard.00000.mds` … and `index.json`, which lists them; a folder without an index is
// unfinished. A shard has samples; a sample has a value for each column. Numbers are little-endian.
// Source: what MDSWriter of mosaicml/streaming writes, byte for byte (docs/formats/sequences.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/json.h"

namespace bertprep {

// The encoding of arrays of any type; those of one type are named "ndarray:uint16".
inline constexpr std::string_view kMdsArray = "ndarray";

struct MdsColumn {
  std::string name;
  // "bytes", "str", "int", "uint8" … "float64", "str_int", "json", "ndarray", "ndarray:uint16", "ndarray:uint16:4,5"
  std::string encoding;
};

struct MdsFormat {
  static constexpr std::uint64_t kDefaultSizeLimit = std::uint64_t{1} << 26U;

  std::vector<MdsColumn> columns;                               // ordered by name
  std::optional<std::uint64_t> size_limit = kDefaultSizeLimit;  // of a shard, in bytes; nothing: no limit, one shard
  std::vector<std::string> hashes;                              // digest_by_name()'s, ordered
  std::string compression;                                      // "zstd:3"; empty: none

  // Orders the columns. Throws ConfigError for what readers or the format don't support: no or unknown columns, hashes
  // out of order, a limit of 4 GiB or more.
  void check();
  // The eight keys, ordered, in every shard and, with others, in the index.
  Json configuration() const;
};

// The size of every value of `encoding` in bytes, or nothing if it varies. Throws ConfigError for an unknown encoding.
std::optional<std::uint32_t> mds_value_bytes(std::string_view encoding);

// How a value of the encoding "ndarray:TYPE" begins; its numbers follow in row-major order.
void append_mds_shape(std::span<const std::uint64_t> shape, std::string& out);
// A type of numbers: numpy's.
struct MdsNumberType {
  std::string_view name;
  std::uint8_t code;  // the byte before the shape in the encoding "ndarray"
  std::uint32_t bytes;
  bool is_integer = true;
  bool is_signed() const { return !name.starts_with('u'); }
};
// Null if there is no such type.
const MdsNumberType* find_mds_type(std::string_view name);
const MdsNumberType* find_mds_type(std::uint8_t code);

// The file that lists the shards of a set, in order, with facts about each.
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
std::string mds_index(const std::vector<Json>& entries);

// The index of the entries of several writers, whose shards are in subfolders: the same, in another order.
std::string merged_mds_index(const std::vector<Json>& entries);

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
