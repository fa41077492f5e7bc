#include "shard_files.h"

#include <algorithm>
#include <cerrno>
#include <tuple>

#include "bertprep/base/error.h"
#include "io/folder.h"
#include "shard/shard_names.h"

namespace bertprep::cli {

std::vector<ShardFile> shard_files_if_any(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  if (!fs::exists(path)) throw IoError::from_errno("can't be opened", path, ENOENT);
  if (!fs::is_directory(path)) return {{path, path.filename().string()}};
  std::vector<ShardFile> files;
  walk_folder(path, [&](const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(".")) return false;
    if (entry.is_regular_file() && name.ends_with(".hdf5")) {
      files.push_back({entry.path(), entry.path().lexically_relative(path).string()});
    }
    return true;
  });
  std::sort(files.begin(), files.end(),
            [](const ShardFile& left, const ShardFile& right) { return left.path.string() < right.path.string(); });
  return files;
}

std::vector<ShardFile> shard_files(const std::filesystem::path& path) {
  std::vector<ShardFile> files = shard_files_if_any(path);
  if (files.empty()) {
    throw FormatError(std::filesystem::is_empty(path) ? "is an empty folder"
                                                      : "contains no .hdf5 file, and neither does a folder below it",
                      path, "give a folder of shards, or the folder given to run as --output");
  }
  return files;
}

const ShardFile& first_shard(const std::vector<ShardFile>& files) {
  const auto place = [](const ShardFile& file) {
    const std::string name = file.path.filename().string();
    const bool is_test = name.find("training") == std::string::npos;
    return std::tuple(natural_key(file.path.parent_path().string()), is_test, natural_key(name));
  };
  return *std::min_element(files.begin(), files.end(),
                           [&](const ShardFile& left, const ShardFile& right) { return place(left) < place(right); });
}

}  // namespace bertprep::cli
