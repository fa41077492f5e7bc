// Reads integer datasets of HDF5 files of any origin. Refuses references out of the file, and shapes larger than the
// file can hold. The library is loaded for files that this project did not write, and to say what is damaged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "shard/hdf5/hdf5_call.h"
#include "shard/hdf5/hdf5_chunks.h"

namespace bertprep {

struct IntegerType {
  std::size_t bytes = 0;  // 1, 2, 4 or 8
  bool is_signed = true;
  bool big_endian = false;
};

// Throws FormatError if a file of `file_bytes` can't hold values of the shape of `what`, however well compressed.
void refuse_absurd_shape(std::span<const std::size_t> shape, std::size_t element_bytes, std::uint64_t file_bytes,
                         const std::string& what, const std::filesystem::path& path);

class Hdf5InputFile;
class LazyHdf5File;
struct OwnShard;

// One dataset of integers.
class Hdf5InputDataset {
 public:
  // Throws FormatError if there is no such dataset, its values are not integers, or are in other files, or its shape is
  // absurd.
  Hdf5InputDataset(const Hdf5InputFile& file, const std::string& name);

  const std::string& name() const { return name_; }
  const IntegerType& type() const { return type_; }
  const std::vector<std::size_t>& shape() const { return shape_; }
  // "input_ids is 100 x 512".
  std::string shape_text() const;
  // Rows of a chunk; 0 without chunks.
  std::size_t chunk_rows() const { return chunk_.empty() ? 0 : chunk_[0]; }
  // How many rows take at most `bytes` and `chunks`; at least one.
  std::size_t rows_within(std::size_t bytes, std::size_t chunks) const;

  // Reads the block of `count` elements per dimension from `first` on into `out`, row by row, as signed or unsigned
  // integers of `wanted` in little-endian order. `out` must have room for the whole block, which must be within the
  // dataset. Throws IoError, and FormatError if the data is damaged or a value does not fit `wanted`. One thread at a
  // time.
  void read(std::span<const std::size_t> first, std::span<const std::size_t> count, const IntegerType& wanted,
            std::span<std::byte> out) const;

 private:
  void describe_own(const std::shared_ptr<OwnShard>& own, std::size_t number);
  void describe_foreign();
  void check_shape();
  void read_by_library(std::span<const std::size_t> first, std::span<const std::size_t> count,
                       const IntegerType& wanted, std::span<std::byte> out) const;
  const Hdf5Handle& handle() const;
  bool read_chunks(std::span<const std::size_t> first, std::span<const std::size_t> count, const IntegerType& wanted,
                   std::span<std::byte> out) const;

  std::filesystem::path path_;
  std::string name_;
  IntegerType type_;
  std::vector<std::size_t> shape_;
  std::vector<std::size_t> chunk_;
  std::shared_ptr<LazyHdf5File> file_;
  mutable std::unique_ptr<Hdf5Handle> dataset_;  // once it is open; chunks_ refers to it
  mutable std::unique_ptr<Hdf5Chunks> chunks_;   // until HDF5 has to read itself
};

class Hdf5InputFile {
 public:
  // Throws IoError; FormatError if the file is not an HDF5 file.
  explicit Hdf5InputFile(const std::filesystem::path& path);

  // The datasets of the root group, sorted by name.
  std::vector<std::string> dataset_names() const;

  const std::filesystem::path& path() const { return path_; }

 private:
  friend class Hdf5InputDataset;

  std::filesystem::path path_;
  std::shared_ptr<LazyHdf5File> file_;
  std::shared_ptr<OwnShard> own_;  // nothing if the file is of another origin
};

}  // namespace bertprep
