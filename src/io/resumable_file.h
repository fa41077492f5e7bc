// ResumableFile: an unfinished file that stays when its writer ends, for another process to continue.
//
// One process at a time: the file is locked (flock), and the system lets go of the lock when the process ends, however
// it ends. Where a file system has no locks, or locks that other machines don't see, two writers may meet; a file is
// therefore never emptied, but replaced by a new one, and published only by the process whose file it still is.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>

namespace bertprep {

class ResumableFile {
 public:
  // Opens the file, or creates it empty; nothing when another process has it. Throws IoError.
  static std::optional<ResumableFile> try_open(const std::filesystem::path& path);
  // Closes; the file stays.
  ~ResumableFile();
  ResumableFile(ResumableFile&& other) noexcept;
  ResumableFile& operator=(ResumableFile&& other) noexcept;

  const std::filesystem::path& path() const { return path_; }
  std::uint64_t size_bytes() const { return size_bytes_; }
  // All bytes that are there, block by block. Throws IoError.
  void read(const std::function<void(std::string_view block)>& take) const;
  // At the end of the file; unbuffered. Throws IoError.
  void append(std::string_view bytes);
  // Puts a new empty file in its place. Throws IoError.
  void restart();
  // Forces the bytes to the disk and gives the file its name. Throws IoError, also when another process has put a file
  // of its own in this one's place.
  void publish(const std::filesystem::path& final_path);
  // Removes the file.
  void discard();

 private:
  ResumableFile(std::filesystem::path path, int descriptor, std::uint64_t size_bytes)
      : path_(std::move(path)), descriptor_(descriptor), size_bytes_(size_bytes) {}
  void close() noexcept;

  std::filesystem::path path_;
  int descriptor_;
  std::uint64_t size_bytes_;
};

}  // namespace bertprep
