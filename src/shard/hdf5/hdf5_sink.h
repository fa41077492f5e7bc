// Hdf5Sink: writes the bytes of a new HDF5 file to disk, instead of the library's own driver.
//
// HDF5 does not survive a failed write: it crashes when the file is closed, or when the program ends. So this driver
// never reports one. It keeps the first error of the operating system and drops later writes; callers must call check()
// afterwards. Otherwise it acts like the library's default driver and produces the same file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "shard/hdf5/hdf5_call.h"

namespace bertprep {

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

}  // namespace bertprep
