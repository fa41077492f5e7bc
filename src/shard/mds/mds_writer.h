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

// A whole shard as stored in its file.
struct MdsShard {
  std::string bytes;
  std::uint64_t samples = 0;
};

// MdsShardBuilder: samples -> the bytes of one shard.
class MdsShardBuilder {
 public:
  // `format` must have been checked, and is kept by reference.
  explicit MdsShardBuilder(const MdsFormat& format);

  // The size of the shard's file with one more sample of these values, one for each column in order.
  std::uint64_t bytes_with(std::span<const std::string_view> values) const;
  // Throws FormatError for a value of another size than its column's.
  void add(std::span<const std::string_view> values);
  std::uint64_t samples() const { return ends_.size(); }
  // The shard; the builder is empty afterwards.
  MdsShard take();

 private:
  std::uint64_t sample_bytes(std::span<const std::string_view> values) const;

  const MdsFormat& format_;
  std::string configuration_;
  std::vector<std::optional<std::uint32_t>> column_bytes_;
  std::string samples_;
  std::vector<std::uint32_t> ends_;  // of each sample in `samples_`
};

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
  MdsWriter(const MdsWriter&) = delete;
  MdsWriter& operator=(const MdsWriter&) = delete;

  // A sample larger than the limit gets a separate shard. Throws FormatError for a value of another size than its
  // column's, and for a shard of 4 GiB; IoError.
  void add(std::span<const std::string_view> values);
  // Writes the rest. Throws FormatError if there were no samples, as no reader accepts such a set; IoError.
  void finish();

  // Finished but not yet renamed; the entries with the same index describe them.
  std::vector<PendingFile>& files() { return files_; }
  const std::vector<MdsShardFacts>& shards() const { return shards_; }
  // The index over the shards.
  std::string index() const;

 private:
  void write_shard();

  MdsFormat format_;
  NewFile new_file_;
  Compressor compressor_;
  MdsShardBuilder builder_;
  std::vector<PendingFile> files_;
  std::vector<MdsShardFacts> shards_;
};

}  // namespace bertprep
