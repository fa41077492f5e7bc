#include "io/resumable_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <utility>

#include "bertprep/base/error.h"
#include "io/input_file.h"

namespace bertprep {
namespace {

constexpr mode_t kMode = 0666;

int open_file(const std::filesystem::path& path, int flags) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | flags, kMode);
  if (descriptor < 0) throw IoError::from_errno("can't be opened", path, errno);
  return descriptor;
}

// False if another process has the lock. Without locks in the file system, always true.
bool lock(int descriptor) {
  while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return false;
    if (errno != EINTR) return true;
  }
  return true;
}

bool is_at(int descriptor, const std::filesystem::path& path) {
  struct stat open_status {};
  struct stat named_status {};
  return ::fstat(descriptor, &open_status) == 0 && ::stat(path.c_str(), &named_status) == 0 &&
         open_status.st_dev == named_status.st_dev && open_status.st_ino == named_status.st_ino;
}

std::uint64_t size_of(int descriptor, const std::filesystem::path& path) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) throw IoError::from_errno("can't be examined", path, errno);
  return static_cast<std::uint64_t>(status.st_size);
}

}  // namespace

std::optional<ResumableFile> ResumableFile::try_open(const std::filesystem::path& path) {
  while (true) {
    ResumableFile file(path, open_file(path, 0), 0);
    if (!lock(file.descriptor_)) return std::nullopt;
    // Between opening and locking, the owner may have published or replaced it.
    if (!is_at(file.descriptor_, path)) continue;
    file.size_bytes_ = size_of(file.descriptor_, path);
    return file;
  }
}

ResumableFile::~ResumableFile() {
  close();
}

ResumableFile::ResumableFile(ResumableFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_bytes_(other.size_bytes_) {}

ResumableFile& ResumableFile::operator=(ResumableFile&& other) noexcept {
  if (this == &other) return *this;
  close();
  path_ = std::move(other.path_);
  descriptor_ = std::exchange(other.descriptor_, -1);
  size_bytes_ = other.size_bytes_;
  return *this;
}

void ResumableFile::close() noexcept {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

void ResumableFile::read(const std::function<void(std::string_view block)>& take) const {
  const ReadBuffer buffer;
  std::uint64_t offset = 0;
  while (offset < size_bytes_) {
    const ssize_t count = ::pread(descriptor_, buffer.data(), buffer.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw IoError::from_errno("can't be read", path_, count < 0 ? errno : EIO);
    take(buffer.first(static_cast<std::size_t>(count)));
    offset += static_cast<std::uint64_t>(count);
  }
}

void ResumableFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(size_bytes_));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw IoError::from_errno("can't be written", path_, errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
    size_bytes_ += static_cast<std::uint64_t>(count);
  }
}

void ResumableFile::restart() {
  const std::filesystem::path fresh = path_.string() + "." + std::to_string(::getpid()) + ".new";
  ResumableFile file(path_, open_file(fresh, O_TRUNC), 0);
  lock(file.descriptor_);
  if (::rename(fresh.c_str(), path_.c_str()) != 0) throw IoError::from_errno("can't be replaced", path_, errno);
  *this = std::move(file);
}

void ResumableFile::publish(const std::filesystem::path& final_path) {
  if (::fsync(descriptor_) != 0) throw IoError::from_errno("can't be written to disk", path_, errno);
  if (!is_at(descriptor_, path_)) {
    throw IoError("was replaced by another process that downloads the same file", path_, "run it again");
  }
  if (::rename(path_.c_str(), final_path.c_str()) != 0) {
    throw IoError::from_errno("can't be renamed to its final name", final_path, errno);
  }
  close();
}

void ResumableFile::discard() {
  if (is_at(descriptor_, path_)) ::unlink(path_.c_str());
  close();
}

}  // namespace bertprep
