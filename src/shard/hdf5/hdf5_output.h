// Writes HDF5 files from chunks compressed elsewhere.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "shard/hdf5/hdf5_call.h"
#include "shard/hdf5/hdf5_sink.h"
#include "shard/hdf5/shard_layout.h"

namespace bertprep {

// Nothing in the file depends on time, machine or user: the oldest version of the format, no creation times. Takes no
// lock: the caller ensures that no other process uses the file yet, and many network file systems have no locks.
class Hdf5OutputFile {
 public:
  // Creates or replaces the file. Throws IoError.
  explicit Hdf5OutputFile(const std::filesystem::path& path);

  // Writes what is buffered. All datasets must be closed. Throws IoError.
  void close();

  const std::filesystem::path& path() const { return path_; }
  const Hdf5Handle& handle() const { return file_; }
  const Hdf5Sink& sink() const { return sink_; }

 private:
  std::filesystem::path path_;
  Hdf5Sink sink_;
  Hdf5Handle file_;
};

// One dataset of an Hdf5OutputFile; must not outlive it.
class Hdf5OutputDataset {
 public:
  Hdf5OutputDataset() = default;
  // Throws IoError.
  Hdf5OutputDataset(const Hdf5OutputFile& file, const DatasetPlan& plan, unsigned deflate_level);

  // Stores a chunk that has been through the dataset's filters; `offset` is that of its first element.
  // Throws IoError.
  void write_chunk(std::span<const std::size_t> offset, std::span<const std::byte> filtered);
  // Throws IoError.
  void close();

 private:
  const Hdf5OutputFile* file_ = nullptr;
  std::string name_;
  Hdf5Handle dataset_;
};

}  // namespace bertprep
