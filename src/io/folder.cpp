#include "io/folder.h"

#include <dirent.h>
#include <ftw.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr int kOpenFolders = 16;

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

// 0, or the errno of what went wrong.
int read_names(const fs::path& folder, std::vector<std::string>& names) {
  const std::unique_ptr<DIR, CloseFolder> open(::opendir(folder.c_str()));
  if (open == nullptr) return errno;
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(open.get());
    if (entry == nullptr) return errno;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
}

int read_sorted_names(const fs::path& folder, std::vector<std::string>& names) {
  const int error_number = read_names(folder, names);
  if (error_number != 0) names.clear();
  std::sort(names.begin(), names.end());
  return error_number;
}

void throw_unless_missing(int error_number, const fs::path& folder, bool may_be_missing) {
  const bool is_missing = error_number == ENOENT || error_number == ENOTDIR;
  if (error_number == 0 || (is_missing && may_be_missing)) return;
  throw IoError::from_errno("can't be listed", folder, error_number);
}

FolderEntries list(const fs::path& folder, int& error_number) {
  std::vector<std::string> names;
  error_number = read_sorted_names(folder, names);
  FolderEntries entries;
  std::error_code gone;  // an entry removed meanwhile has no type
  for (const std::string& name : names) entries.emplace_back(folder / name, gone);
  return entries;
}

FolderEntries list_or_throw(const fs::path& folder, bool may_be_missing) {
  int error_number = 0;
  FolderEntries entries = list(folder, error_number);
  throw_unless_missing(error_number, folder, may_be_missing);
  return entries;
}

void visit_all(const FolderEntries& entries, const std::function<bool(const fs::directory_entry&)>& visit) {
  for (const fs::directory_entry& entry : entries) {
    const bool is_below = visit(entry);
    std::error_code gone;
    if (is_below && fs::is_directory(entry.symlink_status(gone))) visit_all(list_or_throw(entry.path(), true), visit);
  }
}

int remove_visited(const char* path, const struct stat* /*status*/, int kind, FTW* /*place*/) {
  const int result = kind == FTW_DP || kind == FTW_DNR ? ::rmdir(path) : ::unlink(path);
  return result == 0 || errno == ENOENT ? 0 : errno;
}

}  // namespace

FolderEntries list_folder(const fs::path& folder) {
  return list_or_throw(folder, false);
}

FolderEntries list_folder_if_any(const fs::path& folder) {
  return list_or_throw(folder, true);
}

FolderEntries list_folder(const fs::path& folder, std::error_code& error) {
  int error_number = 0;
  FolderEntries entries = list(folder, error_number);
  error.assign(error_number, std::generic_category());
  return entries;
}

std::vector<std::string> names_in_folder_if_any(const fs::path& folder) {
  std::vector<std::string> names;
  throw_unless_missing(read_sorted_names(folder, names), folder, true);
  return names;
}

bool is_empty_folder(const fs::path& folder) {
  std::vector<std::string> names;
  return read_names(folder, names) == 0 && names.empty();
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

bool is_hidden(const fs::path& path) {
  return path.filename().native().starts_with('.');
}

void walk_folder(const fs::path& folder, const std::function<bool(const fs::directory_entry&)>& visit) {
  visit_all(list_folder(folder), visit);
}

bool may_be_read(const fs::directory_entry& entry) {
  std::error_code gone;
  return !entry.is_directory(gone) || ::access(entry.path().c_str(), R_OK | X_OK) == 0;
}

void make_folders(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw IoError::from_errno("can't be created", folder, error.value());
}

void remove_tree(const fs::path& path, std::error_code& error) {
  errno = 0;
  const int result = ::nftw(path.c_str(), remove_visited, kOpenFolders, FTW_DEPTH | FTW_PHYS);
  const int error_number = result == -1 ? errno : result;
  error.assign(error_number == ENOENT ? 0 : error_number, std::generic_category());
}

void remove_tree(const fs::path& path) {
  std::error_code error;
  remove_tree(path, error);
  if (error) throw IoError::from_errno("can't be removed", path, error.value());
}

}  // namespace bertprep
