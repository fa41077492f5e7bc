// ShardReader: reads shards made by bertprep or by any tool that writes the same six datasets. Only one thread at a
// time may use a reader; any number of readers may be open at once.
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
  // Throws IoError. Throws FormatError if the file is not an HDF5 file or lacks one of the six datasets, if values are
  // in other files or need an HDF5 plug-in, if a shape is larger than the file can hold, or if the shapes do not match;
  // the message names the dataset and both shapes.
  // For RowContent::kTokens, only input_ids is required.
  explicit ShardReader(const std::filesystem::path& path, RowContent content = RowContent::kInstances);
  ~ShardReader();
  ShardReader(ShardReader&&) noexcept;

  const ShardShape& shape() const;
  // Rows of a stored chunk of the token ids; 0 if they are stored without chunks.
  std::size_t chunk_rows() const;
  // How many rows to read at once when reading all: about half a MiB, at least one row.
  std::size_t rows_at_once() const;
  // Reads rows [first, first + count) into `batch`. Converts narrower and wider integer types.
  // Throws ConfigError if the shard has fewer rows, IoError, and FormatError if a chunk is damaged or a value doesn't
  // fit.
  void read(std::size_t first, std::size_t count, Batch& batch);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// What the file seems to hold, by the names of its datasets: kTokens if it has input_ids and none for predictions.
// Throws IoError, FormatError if it is not an HDF5 file.
RowContent row_content(const std::filesystem::path& path);

// One dataset's content, independent of chunks and compression.
struct DatasetDigest {
  std::string name;
  std::string dtype;  // numpy's notation: "<i4", "|i1"
  std::vector<std::size_t> shape;
  std::string sha256;  // of the decoded values, little endian, C order; lower-case hex
};

// Digests of all datasets in the root group of any HDF5 file with integer datasets, sorted by name. Memory is
// bounded, whatever the size of the file. Throws as the reader does, and Cancelled.
std::vector<DatasetDigest> digest_datasets(const std::filesystem::path& path, const Progress& progress = {});

}  // namespace bertprep
