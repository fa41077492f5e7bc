// Files to write: from front to back, at known offsets, or with the start last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/base/progress.h"
#include "io/file_descriptor.h"

namespace bertprep {

class OutputFile {
 public:
  // Creates or empties `path`. Throws IoError.
  explicit OutputFile(const std::filesystem::path& path);
  // Keeps the first `size_bytes` of an existing file, and writes after them. Throws IoError.
  OutputFile(const std::filesystem::path& path, std::uint64_t size_bytes);
  // Destroyed, it closes without a check; the caller removes unfinished files.

  // Throws IoError (disk full, limit reached).
  void write(std::string_view bytes);
  // Writes what is buffered. Throws IoError.
  void flush();
  // The same, and closes. Throws IoError.
  void finish();

  std::uint64_t size_bytes() const { return size_bytes_; }

 private:
  std::filesystem::path path_;
  FileDescriptor file_;
  std::string buffer_;
  std::uint64_t size_bytes_ = 0;
};

// PlacedFile: a file whose parts are written at known offsets, in any order.
class PlacedFile {
 public:
  // Creates or empties `path`. Throws IoError.
  explicit PlacedFile(const std::filesystem::path& path) : PlacedFile(path, FileDescriptor::create(path)) {}
  // Opens an existing file and keeps its contents. Throws IoError.
  static PlacedFile reopen(const std::filesystem::path& path);
  // How many the process may have open at once, leaving room for its other files.
  static std::size_t max_open();
  // Destroyed, it closes without a check; the caller removes unfinished files.

  // May be called from several threads at once. Throws IoError.
  void write_at(std::uint64_t offset, std::string_view bytes) const { file_.write_at(offset, bytes, path_); }
  // Closes. Throws IoError.
  void finish() { file_.finish(path_); }

 private:
  PlacedFile(const std::filesystem::path& path, FileDescriptor file) : path_(path), file_(std::move(file)) {}

  std::filesystem::path path_;
  FileDescriptor file_;
};

// BufferedFile: a file that is written from front to back, except for its start, which is known last.
//
// Small files stay in memory until they are complete: they need one write, and their digest no reading.
class BufferedFile {
 public:
  static constexpr std::size_t kMaxBufferBytes = std::size_t{8} << 20U;

  // Creates or empties `path` and leaves room for `front_bytes`. Keeps a reference to `buffer`, and overwrites it.
  // Throws IoError.
  BufferedFile(const std::filesystem::path& path, std::size_t front_bytes, std::vector<std::byte>& buffer);
  // Destroyed, it closes without a check; the caller removes unfinished files.

  // Throws IoError.
  void append(std::span<const std::byte> bytes);
  std::uint64_t size_bytes() const { return written_bytes_ + buffer_.size(); }
  // Fills the room left at the front, writes what is buffered and closes. Throws IoError.
  void finish(std::span<const std::byte> front);
  // Of the finished file, in lower-case hex. Throws IoError, Cancelled.
  std::string sha256(const Progress& progress = {}) const;

 private:
  void flush();

  std::filesystem::path path_;
  FileDescriptor file_;
  std::vector<std::byte>& buffer_;
  std::uint64_t written_bytes_ = 0;  // before those in the buffer
};

}  // namespace bertprep
