// MdsWriter: samples -> the shards of an MDS set and the entries of its index.
//
// For one thread at a time. Memory: a shard, twice if compressed; so give a size limit.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/pending_file.h"
#include "shard/mds/mds_format.h"

namespace bertprep {

class MdsWriter {
 public:
  // Creates an unfinished file with this final name.
  using NewFile = std::function<PendingFile(const std::string& name)>;
  // Compresses as MdsFormat::compression says; `ending` is the extension of its files: ".zstd".
  struct Compressor {
    std::string ending;
    std::function<std::string(std::string_view)> compress;
  };

  // `format` must have been checked. Without a `compressor`, its compression must be empty.
  MdsWriter(MdsFormat format, NewFile new_file, Compressor compressor = {});

  // A sample: a value for each column in order. One larger than the limit gets a separate shard. Throws FormatError for
  // a value of another size than its column's, and for a shard of 4 GiB; IoError.
  void add(std::span<const std::string_view> values);
  // Writes the rest. Throws FormatError if there were no samples, as no reader accepts such a set; IoError.
  void finish();

  // Finished but not yet renamed; the entries with the same index describe them.
  std::vector<PendingFile>& files() { return files_; }
  const std::vector<MdsShardFacts>& shards() const { return shards_; }
  // The index over the shards.
  std::string index() const;

 private:
  // The size of the shard's file with one more sample.
  std::uint64_t bytes_with(std::span<const std::string_view> values) const;
  std::string take_shard();
  void write_shard();

  MdsFormat format_;
  NewFile new_file_;
  Compressor compressor_;
  std::string configuration_;
  std::vector<std::optional<std::uint32_t>> column_bytes_;
  // Of the shard that is not written yet.
  std::string samples_;
  std::vector<std::uint32_t> ends_;  // of each sample in `samples_`

  std::vector<PendingFile> files_;
  std::vector<MdsShardFacts> shards_;
};

}  // namespace bertprep
