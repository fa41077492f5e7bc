#include "shard_files.h"

#include <algorithm>
#include <cerrno>

#include "bertprep/base/error.h"

namespace bertprep::cli {

std::vector<ShardFile> shard_files(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  if (!fs::exists(path)) throw IoError::from_errno("can't be opened", path, ENOENT);
  if (!fs::is_directory(path)) return {{path, path.filename().string()}};
  std::vector<ShardFile> files;
  for (auto entry = fs::recursive_directory_iterator(path); entry != fs::recursive_directory_iterator(); ++entry) {
    const std::string name = entry->path().filename().string();
    if (entry->is_directory() && name.starts_with(".")) {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file() && name.ends_with(".hdf5") && !name.starts_with(".")) {
      files.push_back({entry->path(), entry->path().lexically_relative(path).string()});
    }
  }
  if (files.empty()) throw FormatError("holds no .hdf5 file", path);
  std::sort(files.begin(), files.end(),
            [](const ShardFile& left, const ShardFile& right) { return left.path.string() < right.path.string(); });
  return files;
}

}  // namespace bertprep::cli
