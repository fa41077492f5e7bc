// Hdf5Sink: carries the bytes of a new HDF5 file to disk, in place of the library's own driver.
//
// HDF5 does not stand a failing write: it crashes when the file is closed, or when the program ends. So this
// driver never reports one. It keeps the first error of the operating system and drops what follows; whoever
// calls the library asks check() afterwards. Otherwise it does what the library's default driver does, so
// that the same file comes out.
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

  // Properties with which H5Fcreate writes here, whatever path it is given. The file must not outlive the
  // sink.
  Hdf5Handle access_properties();

  // Throws the first error since the file was made, as IoError.
  void check() const;
  // Gives the file back to the operating system, after the library has closed it. Throws IoError.
  void close();

  // For the driver alone.
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
