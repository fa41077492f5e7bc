// ShardReader: reads shards, ours and those of any other tool with the same six datasets. One reader belongs
// to one thread at a time; any number of them may be open at once.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/shard/schema.h"

namespace bertprep {

class ShardReader {
 public:
  // Throws IoError, or FormatError when the file is no HDF5 file or lacks one of the six datasets, when values of one
  // lie in other files or need a plug-in of HDF5, when a shape is more than the file can hold, or when their shapes do
  // not fit together; the message names the dataset and both shapes.
  explicit ShardReader(const std::filesystem::path& path);
  ~ShardReader();
  ShardReader(ShardReader&&) noexcept;

  const ShardShape& shape() const;
  // How many rows to read at once when all are read: half a MiB of them or so, at least one.
  std::size_t rows_at_once() const;
  // Reads rows [first, first + count) into `batch`. Integer types narrower or wider than ours are converted.
  // Throws ConfigError when the shard has fewer rows, IoError, and FormatError when a chunk is damaged or a
  // value doesn't fit.
  void read(std::size_t first, std::size_t count, Batch& batch);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// One dataset's content, independent of chunks and compression.
struct DatasetDigest {
  std::string name;
  std::string dtype;  // numpy's notation: "<i4", "|i1"
  std::vector<std::size_t> shape;
  std::string sha256;  // of the decoded values, little endian, C order; lower-case hex
};

// Digests of all datasets in the root group of any HDF5 file with integer datasets, sorted by name. Memory is
// bounded whatever the size of the file. Throws as the reader does, and Cancelled.
std::vector<DatasetDigest> digest_datasets(const std::filesystem::path& path, const Progress& progress = {});

}  // namespace bertprep
