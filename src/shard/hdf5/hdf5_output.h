// Writes HDF5 files by the library, from chunks compressed elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "io/file_descriptor.h"
#include "shard/hdf5/hdf5_call.h"
#include "shard/hdf5/shard_layout.h"

namespace bertprep {

// Nothing in the file depends on time, machine or user: the oldest version of the format, no creation times. Takes no
// lock: the caller ensures that no other process uses the file yet, and many network file systems have no locks.
//
// The bytes go to disk by a driver of our own: HDF5 does not survive a failed write, but crashes when the file is
// closed or the program ends. So this driver never reports one. It keeps the first error of the operating system and
// drops later writes; callers must call check() afterwards. Otherwise it acts like the library's default driver and
// produces the same file.
class Hdf5OutputFile {
 public:
  // Creates or replaces the file. Throws IoError.
  explicit Hdf5OutputFile(const std::filesystem::path& path);
  Hdf5OutputFile(const Hdf5OutputFile&) = delete;
  Hdf5OutputFile& operator=(const Hdf5OutputFile&) = delete;

  // Throws the first error since the file was made, as IoError.
  void check() const;
  // Writes what is buffered. All datasets must be closed. Throws IoError.
  void close();

  const std::filesystem::path& path() const { return path_; }
  const Hdf5Handle& handle() const { return handle_; }

  // For the driver only.
  std::uint64_t size_bytes() const { return size_bytes_; }
  void write(std::uint64_t offset, std::span<const char> bytes);
  void read(std::uint64_t offset, std::span<char> bytes);
  void resize(std::uint64_t size_bytes);

 private:
  void keep_error();

  std::filesystem::path path_;
  FileDescriptor file_;
  int error_number_ = 0;
  std::uint64_t size_bytes_ = 0;
  Hdf5Handle driver_;
  Hdf5Handle handle_;
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
