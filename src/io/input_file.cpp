#include "io/input_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "bertprep/base/error.h"

namespace bertprep {

InputFile::InputFile(const std::filesystem::path& path)
    : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) throw IoError::from_errno("can't be opened", path, errno);
  struct stat status;
  if (::fstat(descriptor_, &status) == 0 && S_ISDIR(status.st_mode)) {
    ::close(descriptor_);
    throw IoError::from_errno("can't be read", path, EISDIR);
  }
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

InputFile::InputFile(InputFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

std::size_t InputFile::read(std::span<char> buffer) {
  std::size_t done = 0;
  while (done < buffer.size()) {
    const ssize_t count = ::read(descriptor_, buffer.data() + done, buffer.size() - done);
    if (count == 0) break;
    if (count < 0) {
      if (errno == EINTR) continue;
      throw IoError::from_errno("can't be read", path_, errno);
    }
    done += static_cast<std::size_t>(count);
  }
  return done;
}

void InputFile::seek(std::uint64_t offset) {
  if (::lseek(descriptor_, static_cast<off_t>(offset), SEEK_SET) < 0) {
    throw IoError::from_errno("can't be read from byte " + std::to_string(offset), path_, errno);
  }
}

std::uint64_t InputFile::size_bytes() const {
  struct stat status;
  if (::fstat(descriptor_, &status) != 0) throw IoError::from_errno("can't be examined", path_, errno);
  return static_cast<std::uint64_t>(status.st_size);
}

std::string read_file(const std::filesystem::path& path) {
  InputFile file(path);
  std::string bytes(file.size_bytes(), '\0');
  bytes.resize(file.read(bytes));
  // A pipe or a growing file has more bytes than its size says.
  std::string more(std::size_t{1} << 16, '\0');
  while (const std::size_t count = file.read(more)) bytes.append(more, 0, count);
  return bytes;
}

std::optional<std::string> read_file_if_any(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) ? std::optional(read_file(path)) : std::nullopt;
}

void require_no_device(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!exists(status) || is_regular_file(status) || is_directory(status)) return;
  throw FormatError("is not a file, and it is read more than once", path,
                    "write it to a file, or pipe it to standard input and give '-'");
}

MappedFile::MappedFile(const std::filesystem::path& path) {
  // Without O_NONBLOCK, opening a pipe waits for a writer.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) throw IoError::from_errno("can't be opened", path, errno);
  struct stat status;
  int error = ::fstat(descriptor, &status) == 0 ? 0 : errno;
  if (error == 0 && !S_ISREG(status.st_mode)) error = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
  if (error == 0 && status.st_size > 0) {
    const auto size = static_cast<std::size_t>(status.st_size);
    void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (address == MAP_FAILED) {
      error = errno;
    } else {
      bytes_ = {static_cast<const char*>(address), size};
    }
  }
  ::close(descriptor);
  if (error != 0) throw IoError::from_errno("can't be read", path, error);
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

}  // namespace bertprep
