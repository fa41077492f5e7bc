// The basis for all use of HDF5: handles that close themselves, error output switched off, locking, errors. Only
// src/shard/hdf5/hdf5* include HDF5's header.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

#include "base/library_version.h"
#include "bertprep/base/error.h"

namespace bertprep {

// A scope in which the library is called. Switches off its printing of errors for this thread, and admits one thread at
// a time if the library was built without locks.
class Hdf5Call {
 public:
  Hdf5Call();
  ~Hdf5Call();
  Hdf5Call(const Hdf5Call&) = delete;
  Hdf5Call& operator=(const Hdf5Call&) = delete;

  // Turn the error stack of the last call into an exception about `path`. The first, for files of unknown origin,
  // throws IoError if the operating system refused, else FormatError. The second always throws IoError.
  [[noreturn]] void fail_reading(const std::string& what, const std::filesystem::path& path) const;
  [[noreturn]] void fail_writing(const std::string& what, const std::filesystem::path& path) const;
  // Throws IoError if it was the operating system that refused; returns otherwise.
  void throw_refusal(const std::string& what, const std::filesystem::path& path) const;

 private:
  using Printer = int (*)(std::int64_t stack, void* data);
  Printer printer_ = nullptr;
  void* printer_data_ = nullptr;
};

// An open object of the library. Ignores errors when closing; call close() first if they matter.
class Hdf5Handle {
 public:
  using Close = int (*)(std::int64_t id);

  Hdf5Handle() = default;
  Hdf5Handle(std::int64_t id, Close closer) : id_(id), close_(closer) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, kNone)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Handle() { close(); }

  bool ok() const { return id_ >= 0; }
  std::int64_t id() const { return id_; }
  // False if the library could not close it; it is then abandoned.
  bool close();

 private:
  static constexpr std::int64_t kNone = -1;
  std::int64_t id_ = kNone;
  Close close_ = nullptr;
};

LibraryVersion version_of_hdf5(VersionOf wanted);

}  // namespace bertprep
