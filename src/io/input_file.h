// InputFile: a file that is read from front to back; MappedFile: one whose bytes are looked at in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace bertprep {

class InputFile {
 public:
  // Throws IoError when `path` can't be opened or is a directory.
  explicit InputFile(const std::filesystem::path& path);
  ~InputFile();
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;

  // Reads up to buffer.size() bytes; fewer only at the end of the file, 0 at the end. Throws IoError.
  std::size_t read(std::span<char> buffer);
  // Goes on at byte `offset` of the file. Throws IoError.
  void seek(std::uint64_t offset);
  std::uint64_t size_bytes() const;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int descriptor_;
};

// The whole file as a string. For small files: vocabularies, options, manifests.
std::string read_file(const std::filesystem::path& path);

class MappedFile {
 public:
  // Throws IoError. The view stays valid while the object lives; the file must not shrink meanwhile.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;

  std::string_view bytes() const { return bytes_; }

 private:
  std::string_view bytes_;
};

}  // namespace bertprep
