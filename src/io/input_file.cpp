#include "io/input_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "bertprep/base/error.h"

namespace bertprep {

InputFile::InputFile(const std::filesystem::path& path) : path_(path), file_(path, O_RDONLY) {
  if (S_ISDIR(file_.status(path).st_mode)) throw IoError::from_errno("can't be read", path, EISDIR);
}

std::size_t InputFile::read(std::span<char> buffer) {
  std::size_t done = 0;
  while (done < buffer.size()) {
    const ssize_t count = ::read(file_.number(), buffer.data() + done, buffer.size() - done);
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
  if (::lseek(file_.number(), static_cast<off_t>(offset), SEEK_SET) < 0) {
    throw IoError::from_errno("can't be read from byte " + std::to_string(offset), path_, errno);
  }
}

std::uint64_t InputFile::size_bytes() const {
  return static_cast<std::uint64_t>(file_.status(path_).st_size);
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
  const FileDescriptor file(path, O_RDONLY | O_NONBLOCK);
  const struct stat status = file.status(path);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (!S_ISREG(status.st_mode)) {
    throw IoError::from_errno("can't be read", path, S_ISDIR(status.st_mode) ? EISDIR : EINVAL);
  }
  if (size == 0) return;
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (address == MAP_FAILED) throw IoError::from_errno("can't be read", path, errno);
  bytes_ = {static_cast<const char*>(address), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

}  // namespace bertprep
