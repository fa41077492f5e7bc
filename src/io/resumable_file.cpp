#include "io/resumable_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "bertprep/base/error.h"
#include "io/input_file.h"

namespace bertprep {
namespace {

FileDescriptor open_file(const std::filesystem::path& path, int flags) {
  return {path, O_RDWR | O_CREAT | flags};
}

// False if another process has the lock. Without locks in the file system, always true.
bool lock(const FileDescriptor& file) {
  return file.try_lock() || errno != EWOULDBLOCK;
}

}  // namespace

std::optional<ResumableFile> ResumableFile::try_open(const std::filesystem::path& path) {
  while (true) {
    FileDescriptor file = open_file(path, 0);
    if (!lock(file)) return std::nullopt;
    // Between opening and locking, the owner may have published or replaced it.
    if (!file.is_at(path)) continue;
    const auto size_bytes = static_cast<std::uint64_t>(file.status(path).st_size);
    return ResumableFile(path, std::move(file), size_bytes);
  }
}

void ResumableFile::read(const std::function<void(std::string_view block)>& take) const {
  const ReadBuffer buffer;
  std::uint64_t offset = 0;
  while (offset < size_bytes_) {
    const ssize_t count = ::pread(file_.number(), buffer.data(), buffer.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw IoError::from_errno("can't be read", path_, count < 0 ? errno : EIO);
    take(buffer.first(static_cast<std::size_t>(count)));
    offset += static_cast<std::uint64_t>(count);
  }
}

void ResumableFile::append(std::string_view bytes) {
  file_.write_at(size_bytes_, bytes, path_);
  size_bytes_ += bytes.size();
}

void ResumableFile::restart() {
  const std::filesystem::path fresh = path_.string() + "." + std::to_string(::getpid()) + ".new";
  FileDescriptor file = open_file(fresh, O_TRUNC);
  lock(file);
  if (::rename(fresh.c_str(), path_.c_str()) != 0) throw IoError::from_errno("can't be replaced", path_, errno);
  file_ = std::move(file);
  size_bytes_ = 0;
}

void ResumableFile::publish(const std::filesystem::path& final_path) {
  if (::fsync(file_.number()) != 0) throw IoError::from_errno("can't be written to disk", path_, errno);
  if (!file_.is_at(path_)) {
    throw IoError("was replaced by another process that downloads the same file", path_, "run it again");
  }
  if (::rename(path_.c_str(), final_path.c_str()) != 0) {
    throw IoError::from_errno("can't be renamed to its final name", final_path, errno);
  }
  file_.reset();
}

void ResumableFile::discard() {
  if (file_.is_at(path_)) ::unlink(path_.c_str());
  file_.reset();
}

}  // namespace bertprep
