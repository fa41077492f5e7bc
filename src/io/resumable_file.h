// ResumableFile: an unfinished file that stays when its writer ends, for another process to continue.
//
// One process at a time: the file is locked (flock), and the system releases the lock when the process ends, however it
// ends. On file systems without locks, or with locks that other machines don't see, there may be two writers. A file is
// therefore never emptied, but replaced by a new one, and only the process that still owns the file publishes it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>

#include "io/file_descriptor.h"

namespace bertprep {

class ResumableFile {
 public:
  // Opens the file, or creates it empty; it stays when this object is destroyed. Nothing if another process has it.
  // Throws IoError.
  static std::optional<ResumableFile> try_open(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }
  std::uint64_t size_bytes() const { return size_bytes_; }
  // All bytes of the file, block by block. Throws IoError.
  void read(const std::function<void(std::string_view block)>& take) const;
  // At the end of the file; unbuffered. Throws IoError.
  void append(std::string_view bytes);
  // Replaces the file with a new empty one. Throws IoError.
  void restart();
  // Flushes the bytes to disk and renames the file. Throws IoError, also if another process has replaced the file.
  void publish(const std::filesystem::path& final_path);
  // Removes the file.
  void discard();

 private:
  ResumableFile(std::filesystem::path path, FileDescriptor file, std::uint64_t size_bytes)
      : path_(std::move(path)), file_(std::move(file)), size_bytes_(size_bytes) {}

  std::filesystem::path path_;
  FileDescriptor file_;
  std::uint64_t size_bytes_;
};

}  // namespace bertprep
