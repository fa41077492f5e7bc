// Reads MDS sets of any origin, possibly damaged: nothing in them is trusted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shard/mds/mds_format.h"

namespace bertprep {

// A column in an index or shard; bertprep may not write its encoding.
struct MdsColumnEntry {
  std::string name;
  std::string encoding;
  std::optional<std::uint64_t> bytes;  // of every value; nothing if it varies

  bool operator==(const MdsColumnEntry&) const = default;
};

// An entry of "shards" in an index.
struct MdsShardEntry {
  std::string format;  // "mds"; the Streaming library has others
  std::vector<MdsColumnEntry> columns;
  std::string compression;
  std::vector<std::string> hashes;
  std::optional<std::uint64_t> size_limit;
  MdsShardFacts facts;
};

// Throws FormatError with `name` if `bytes` are not an index.
std::vector<MdsShardEntry> parse_mds_index(std::string_view bytes, const std::string& name);

// MdsShardView: the samples in the bytes of a shard, which must outlive it. Const calls are thread-safe.
class MdsShardView {
 public:
  // Throws FormatError if the bytes are too few for their offsets.
  explicit MdsShardView(std::string_view bytes);

  std::uint64_t samples() const { return samples_; }
  // The end of the last sample by the offsets: the size of a complete shard.
  std::uint64_t end() const { return offset(samples_); }
  // The eight keys after the offsets. Throws FormatError if they can't be read.
  MdsShardEntry header() const;
  Json header_json() const;
  // The values of sample `i`, one for each column in order. Throws FormatError if it extends beyond the shard or
  // itself.
  void read(std::uint64_t i, const std::vector<MdsColumnEntry>& columns, std::vector<std::string_view>& values) const;

 private:
  std::uint64_t offset(std::uint64_t i) const;
  std::string_view sample(std::uint64_t i) const;

  std::string_view bytes_;
  std::uint64_t samples_ = 0;
};

// The numbers of an array of integers: "ndarray", "ndarray:uint16", "ndarray:int32:4,5".
struct MdsNumbers {
  unsigned bytes = 0;  // of a number
  bool is_signed = false;
  std::uint64_t dimensions = 0;
  std::string_view values;

  std::uint64_t count() const { return values.size() / bytes; }
};

// Whether values of the encoding are arrays of integers, or may be ("ndarray").
bool is_mds_array(std::string_view encoding);
// Throws FormatError if the value is inconsistent or has other elements than integers.
MdsNumbers mds_numbers(std::string_view encoding, std::string_view value);

}  // namespace bertprep
