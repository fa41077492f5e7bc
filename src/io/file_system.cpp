#include "io/file_system.h"

#include <dirent.h>
#include <fnmatch.h>
#include <sys/stat.h>

#include <algorithm>
#include <system_error>

namespace bertprep {

bool on_one_file_system(const std::filesystem::path& left, const std::filesystem::path& right) {
  struct stat a, b;
  return ::stat(left.c_str(), &a) == 0 && ::stat(right.c_str(), &b) == 0 && a.st_dev == b.st_dev;
}

std::optional<FileIdentity> identity_of(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino};
}

void look_again(const std::filesystem::path& folder) {
  if (DIR* open = ::opendir(folder.c_str())) ::closedir(open);
}

bool exists_now(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::exists(path, error)) return true;
  look_again(path.parent_path());
  return std::filesystem::exists(path, error);
}

bool matches_pattern(const std::string& path, const std::string& pattern) {
  return ::fnmatch(pattern.c_str(), path.c_str(), 0) == 0;
}

bool matches_any(std::string_view path, std::string_view patterns) {
  const std::string whole(path);
  const std::string name(path.substr(path.find_last_of('/') + 1));
  while (!patterns.empty()) {
    const std::size_t end = std::min(patterns.find(','), patterns.size());
    const std::string pattern(patterns.substr(0, end));
    if (matches_pattern(pattern.find('/') == std::string::npos ? name : whole, pattern)) return true;
    patterns.remove_prefix(std::min(end + 1, patterns.size()));
  }
  return false;
}

}  // namespace bertprep
