#include "io/file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/file_descriptor.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// Some file systems, such as NFS, can't rename without replacing. There, an empty file, which only one process can
// create, reserves the name first.
bool rename_onto_own_file(const fs::path& from, const fs::path& to) {
  FileDescriptor reserved(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!reserved.is_open() && errno == EEXIST) return false;
  if (!reserved.is_open()) throw IoError::from_errno("can't be renamed to " + to.string(), from, errno);
  reserved.reset();  // NFS keeps a file that is open under another name when it is replaced
  if (::rename(from.c_str(), to.c_str()) == 0) return true;
  const int error = errno;
  ::unlink(to.c_str());
  throw IoError::from_errno("can't be renamed to " + to.string(), from, error);
}

}  // namespace

std::error_code why_not_writable(const fs::path& folder) {
  return ::access(folder.c_str(), W_OK | X_OK) == 0 ? std::error_code()
                                                    : std::error_code(errno, std::system_category());
}

WriteTime write_time_of(const fs::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) throw IoError::from_errno("can't be examined", file, errno);
  return {status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

bool on_one_file_system(const fs::path& left, const fs::path& right) {
  struct stat a, b;
  return ::stat(left.c_str(), &a) == 0 && ::stat(right.c_str(), &b) == 0 && a.st_dev == b.st_dev;
}

std::optional<FileIdentity> identity_of(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino};
}

void refresh_folder(const std::filesystem::path& folder) {
  if (DIR* open = ::opendir(folder.c_str())) ::closedir(open);
}

bool exists_now(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::exists(path, error)) return true;
  refresh_folder(path.parent_path());
  return std::filesystem::exists(path, error);
}

std::optional<std::uint64_t> size_if_exists(const std::filesystem::path& file) {
  int error = 0;
  for (const bool again : {false, true}) {
    if (again) refresh_folder(file.parent_path());
    const FileDescriptor open(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    error = open.is_open() ? 0 : errno;
    if (!open.is_open()) continue;
    struct stat status {};
    if (::fstat(open.number(), &status) == 0 && S_ISREG(status.st_mode)) {
      return static_cast<std::uint64_t>(status.st_size);
    }
  }
  // A disk that is briefly unreadable must not count as a missing file.
  if (error != 0 && error != ENOENT && error != ENOTDIR && error != EACCES) {
    throw IoError::from_errno("can't be opened", file, error);
  }
  return std::nullopt;
}

bool matches_pattern(const std::string& path, const std::string& pattern) {
  return ::fnmatch(pattern.c_str(), path.c_str(), 0) == 0;
}

bool matches_any(std::string_view path, std::string_view patterns) {
  const std::string whole(path);
  const std::string name(path.substr(path.find_last_of('/') + 1));
  return std::ranges::any_of(split(patterns, ','), [&](std::string_view pattern) {
    const bool is_of_name = pattern.find('/') == std::string_view::npos;
    return !pattern.empty() && matches_pattern(is_of_name ? name : whole, std::string(pattern));
  });
}

bool rename_if_free(const fs::path& from, const fs::path& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno == EEXIST) return false;
  if (errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP) return rename_onto_own_file(from, to);
  throw IoError::from_errno("can't be renamed to " + to.string(), from, errno);
}

}  // namespace bertprep
