#include "io/file_descriptor.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

constexpr mode_t kMode = 0666;

template <class Write>
void write_all(std::string_view bytes, const std::filesystem::path& path, const char* fault, Write write_some) {
  while (!bytes.empty()) {
    const ssize_t count = write_some(bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw IoError::from_errno(fault, path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace

FileDescriptor::FileDescriptor(const std::filesystem::path& path, int flags, const char* fault)
    : number_(::open(path.c_str(), flags | O_CLOEXEC, kMode)) {
  if (!is_open()) throw IoError::from_errno(fault, path, errno);
}

FileDescriptor FileDescriptor::create(const std::filesystem::path& path) {
  return {path, O_WRONLY | O_CREAT | O_TRUNC, "can't be created"};
}

struct stat FileDescriptor::status(const std::filesystem::path& path) const {
  struct stat status {};
  if (::fstat(number_, &status) != 0) throw IoError::from_errno("can't be examined", path, errno);
  return status;
}

bool FileDescriptor::is_at(const std::filesystem::path& path) const {
  struct stat open {};
  struct stat named {};
  return ::fstat(number_, &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

bool FileDescriptor::try_lock() const {
  while (::flock(number_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

void FileDescriptor::write(std::string_view bytes, const std::filesystem::path& path, const char* fault) const {
  write_all(bytes, path, fault, [&](std::string_view rest) { return ::write(number_, rest.data(), rest.size()); });
}

void FileDescriptor::write_at(std::uint64_t offset, std::string_view bytes, const std::filesystem::path& path) const {
  const std::uint64_t end = offset + bytes.size();
  write_all(bytes, path, "can't be written", [&](std::string_view rest) {
    return ::pwrite(number_, rest.data(), rest.size(), static_cast<off_t>(end - rest.size()));
  });
}

void FileDescriptor::reset() {
  if (is_open()) ::close(std::exchange(number_, -1));
}

void FileDescriptor::finish(const std::filesystem::path& path, const char* fault) {
  if (::close(std::exchange(number_, -1)) != 0) throw IoError::from_errno(fault, path, errno);
}

}  // namespace bertprep
