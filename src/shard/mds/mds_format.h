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
// The byte before the shape in the encoding "ndarray"; 0 if not a type of numpy.
std::uint8_t mds_type_byte(std::string_view type);

}  // namespace bertprep
