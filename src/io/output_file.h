// OutputFile: a file that is written from front to back, every write checked.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace bertprep {

class OutputFile {
 public:
  // Creates or empties `path`. Throws IoError.
  explicit OutputFile(const std::filesystem::path& path);
  // Closes without a check; what was not finished is the caller's to remove.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Throws IoError (disk full, limit reached).
  void write(std::string_view bytes);
  // Writes what is buffered and closes. Throws IoError.
  void finish();

  std::uint64_t size_bytes() const { return size_bytes_; }

 private:
  void flush();

  std::filesystem::path path_;
  int descriptor_;
  std::string buffer_;
  std::uint64_t size_bytes_ = 0;
};

}  // namespace bertprep
