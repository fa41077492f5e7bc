// ShardColumns: the columns of an HDF5 file of any origin: requires no names, types or shapes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "shard/hdf5/hdf5_input.h"

namespace bertprep {

class ShardColumns {
 public:
  // Throws IoError, and FormatError if the file is not an HDF5 file or refers to other files.
  explicit ShardColumns(const std::filesystem::path& path);

  // Datasets of the root group, sorted.
  const std::vector<std::string>& names() const { return names_; }
  bool has(const std::string& name) const { return columns_.contains(name) || unreadable_.contains(name); }
  // nullptr if there is no such integer column.
  const Hdf5InputDataset* find(const std::string& name) const;
  // What is wrong with the columns that can't be read as integers, by name.
  const std::map<std::string, std::string>& unreadable() const { return unreadable_; }

  // Values in a row of a column: the product of its dimensions after the first.
  static std::size_t width(const Hdf5InputDataset& column);
  // Rows to read at once: few enough for the cache of a core, at least one.
  std::size_t rows_at_once() const;
  // Rows [first, first + count) of `column`, widened. Returns the values as stored, but little-endian; valid until the
  // next read(). Throws IoError, FormatError.
  std::span<const std::byte> read(const Hdf5InputDataset& column, std::size_t first, std::size_t count,
                                  std::vector<std::int64_t>& values);

 private:
  Hdf5InputFile file_;
  std::vector<std::string> names_;
  std::map<std::string, Hdf5InputDataset> columns_;
  std::map<std::string, std::string> unreadable_;
  std::vector<std::byte> buffer_;
};

}  // namespace bertprep
