// InputFile: a file that is read from front to back; MappedFile: one whose bytes are accessed in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/file_descriptor.h"

namespace bertprep {

class InputFile {
 public:
  // Throws IoError if `path` can't be opened or is a directory.
  explicit InputFile(const std::filesystem::path& path);

  // Reads up to buffer.size() bytes; fewer only at the end of the file, 0 at the end. Throws IoError.
  std::size_t read(std::span<char> buffer);
  // Continues at byte `offset` of the file. Throws IoError.
  void seek(std::uint64_t offset);
  std::uint64_t size_bytes() const;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  FileDescriptor file_;
};

// ReadBuffer: memory to read into. Its pages are touched only as data arrive, so a large buffer costs nothing for a
// small file.
class ReadBuffer {
 public:
  static constexpr std::size_t kUsualBytes = std::size_t{1} << 18;  // larger blocks leave the processor's cache

  explicit ReadBuffer(std::size_t size = kUsualBytes)
      : bytes_(std::make_unique_for_overwrite<char[]>(size)), size_(size) {}

  char* data() const { return bytes_.get(); }
  std::size_t size() const { return size_; }
  std::span<char> span() const { return {bytes_.get(), size_}; }
  std::string_view first(std::size_t count) const { return {bytes_.get(), count}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_;
};

// The whole file as a string. For small files: vocabularies, options, manifests.
std::string read_file(const std::filesystem::path& path);
// Nothing where there is no such file.
std::optional<std::string> read_file_if_any(const std::filesystem::path& path);

// Throws FormatError for a pipe or a device: its bytes come once, or never. What can't be examined passes.
void require_no_device(const std::filesystem::path& path);

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
