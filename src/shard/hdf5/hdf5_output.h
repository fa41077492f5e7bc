// Writes HDF5 files by the library, from chunks compressed elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "shard/hdf5/hdf5_call.h"
#include "shard/hdf5/shard_layout.h"

namespace bertprep {

// Hdf5Sink: writes the bytes of a new HDF5 file to disk, instead of the library's own driver.
//
// HDF5 does not survive a failed write: it crashes when the file is closed, or when the program ends. So this driver
// never reports one. It keeps the first error of the operating system and drops later writes; callers must call check()
// afterwards. Otherwise it acts like the library's default driver and produces the same file.
class Hdf5Sink {
 public:
  // Creates or empties the file. Throws IoError.
  explicit Hdf5Sink(const std::filesystem::path& path);
  ~Hdf5Sink();
  Hdf5Sink(const Hdf5Sink&) = delete;
  Hdf5Sink& operator=(const Hdf5Sink&) = delete;

  // Properties with which H5Fcreate writes here, whatever its path. The file must not outlive the sink.
  Hdf5Handle access_properties();

  // Throws the first error since the file was made, as IoError.
  void check() const;
  // Closes the file, after the library has. Throws IoError.
  void close();

  // For the driver only.
  std::uint64_t size_bytes() const { return size_bytes_; }
  void write(std::uint64_t offset, std::span<const char> bytes);
  void read(std::uint64_t offset, std::span<char> bytes);
  void resize(std::uint64_t size_bytes);

 private:
  void keep_error();

  std::filesystem::path path_;
  int descriptor_;
  int error_number_ = 0;
  std::uint64_t size_bytes_ = 0;
  Hdf5Handle driver_;
};

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
