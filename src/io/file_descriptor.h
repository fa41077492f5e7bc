// FileDescriptor: an open file or folder of the system, which it closes; and what is done with one.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>

namespace bertprep {

class FileDescriptor {
 public:
  // Below 0: none.
  explicit FileDescriptor(int number = -1) : number_(number) {}
  // Opens `path` (open(2)); a new file is for all to read and write, but for the process's umask. Throws IoError with
  // `fault`.
  FileDescriptor(const std::filesystem::path& path, int flags, const char* fault = "can't be opened");
  // Closes without a check.
  ~FileDescriptor() { reset(); }
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  // Creates or empties the file. Throws IoError.
  static FileDescriptor create(const std::filesystem::path& path);

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }
  struct stat status(const std::filesystem::path& path) const;
  // Whether `path` names this file: another process may have removed or replaced that name.
  bool is_at(const std::filesystem::path& path) const;
  // Locks it for this process alone, without waiting (flock(2)); the system releases the lock when the process ends,
  // however it ends. False if that is refused, as errno says.
  bool try_lock() const;

  // Writes all of `bytes`: at its position, or from `offset` on. Throw IoError with `path` and `fault`.
  void write(std::string_view bytes, const std::filesystem::path& path, const char* fault = "can't be written") const;
  void write_at(std::uint64_t offset, std::string_view bytes, const std::filesystem::path& path) const;

  void reset();
  // Closes. Throws IoError: some file systems report only here that they are full.
  void finish(const std::filesystem::path& path, const char* fault = "can't be written");

 private:
  int number_;
};

}  // namespace bertprep
