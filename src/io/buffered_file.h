// BufferedFile: a file that is written from front to back, but for its start, which is known last.
//
// Small files stay in memory until they are whole: one write, and a digest without reading them again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace bertprep {

class BufferedFile {
 public:
  static constexpr std::size_t kMaxBufferBytes = std::size_t{8} << 20U;

  // Creates or empties `path` and leaves room for `front_bytes`. `buffer` is kept by reference; what it holds is
  // lost, its memory is used. Throws IoError.
  BufferedFile(const std::filesystem::path& path, std::size_t front_bytes, std::vector<std::byte>& buffer);
  // Closes without a check; what was not finished is the caller's to remove.
  ~BufferedFile();
  BufferedFile(const BufferedFile&) = delete;
  BufferedFile& operator=(const BufferedFile&) = delete;

  // Throws IoError.
  void append(std::span<const std::byte> bytes);
  std::uint64_t size_bytes() const { return written_bytes_ + buffer_.size(); }
  // Fills the room left at the front, writes what is buffered and closes. Throws IoError.
  void finish(std::span<const std::byte> front);
  // Of the finished file, in lower-case hex. Throws IoError.
  std::string sha256() const;

 private:
  void flush();
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes);

  std::filesystem::path path_;
  int descriptor_;
  std::vector<std::byte>& buffer_;
  std::uint64_t written_bytes_ = 0;  // before those in the buffer
};

}  // namespace bertprep
