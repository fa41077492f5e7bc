#include "shard_files.h"

#include <algorithm>
#include <cerrno>
#include <tuple>

#include "bertprep/base/error.h"
#include "io/folder.h"

namespace bertprep::cli {
namespace {

// Compares as people count: each run of digits has its length in front, so that 9 comes before 10.
std::string natural(const std::string& text) {
  std::string key;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789", i), text.size());
    if (end == i) {
      key += text[i++];
      continue;
    }
    key += static_cast<char>(std::min<std::size_t>(end - i, 200));
    key.append(text, i, end - i);
    i = end;
  }
  return key;
}

}  // namespace

std::vector<ShardFile> shard_files(const std::filesystem::path& path) {
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
  if (files.empty()) {
    throw FormatError(fs::is_empty(path) ? "is an empty folder" : "holds no .hdf5 file, and no folder below it does",
                      path, "give a folder of shards, or the one that was given to run as --output");
  }
  std::sort(files.begin(), files.end(),
            [](const ShardFile& left, const ShardFile& right) { return left.path.string() < right.path.string(); });
  return files;
}

const ShardFile& first_shard(const std::vector<ShardFile>& files) {
  const auto place = [](const ShardFile& file) {
    const std::string name = file.path.filename().string();
    const bool is_test = name.find("training") == std::string::npos;
    return std::tuple(natural(file.path.parent_path().string()), is_test, natural(name));
  };
  return *std::min_element(files.begin(), files.end(),
                           [&](const ShardFile& left, const ShardFile& right) { return place(left) < place(right); });
}

}  // namespace bertprep::cli
