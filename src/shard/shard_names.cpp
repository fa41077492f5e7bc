#include "shard/shard_names.h"

#include <algorithm>

#include "bertprep/base/error.h"
#include "bertprep/shard/manifest.h"
#include "io/digest.h"
#include "io/folder.h"
#include "shard/token_set.h"

namespace bertprep {
namespace {

std::filesystem::path place_of(const std::filesystem::path& file) {
  return std::filesystem::absolute(file).lexically_normal();
}

}  // namespace

RecordedFiles::RecordedFiles(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / Manifest::kFileName;
  if (!std::filesystem::exists(file) || !Manifest::is_own(file)) return;
  if (const auto tokens = TokenSet::load(folder)) {
    for (const TokenSetFile& entry : tokens->files) sha256_[place_of(folder / entry.name)] = entry.sha256;
    return;
  }
  for (const ManifestShard& shard : Manifest::load(file).shards) sha256_[place_of(folder / shard.file)] = shard.sha256;
}

const std::string* RecordedFiles::sha256(const std::filesystem::path& file) const {
  const auto recorded = sha256_.find(place_of(file));
  return recorded == sha256_.end() ? nullptr : &recorded->second;
}

bool RecordedFiles::is_unchanged(const std::filesystem::path& file, const Progress& progress) const {
  const std::string* recorded = sha256(file);
  return recorded == nullptr || sha256_of_file(file, progress) == *recorded;
}

void RecordedFiles::require_unchanged(const std::filesystem::path& file, const Progress& progress,
                                      const std::string& hint) const {
  if (!is_unchanged(file, progress)) throw FormatError("is not the file that the manifest describes", file, hint);
}

bool is_named_for(std::string_view name, std::string_view word) {
  constexpr std::array<std::string_view, 2> kWords{"training", "test"};
  const std::size_t own = name.rfind(word);
  if (own == std::string_view::npos) return false;
  return std::none_of(kWords.begin(), kWords.end(), [&](std::string_view other) {
    const std::size_t place = name.rfind(other);
    return place != std::string_view::npos && place > own;
  });
}

bool is_shard_name(const std::filesystem::path& path) {
  return (path.extension() == ".hdf5" || path.extension() == ".h5") && !is_hidden(path);
}

bool is_shard_name(const std::filesystem::path& path, const std::string& word) {
  return is_shard_name(path) && is_named_for(path.filename().string(), word);
}

std::vector<std::filesystem::path> shard_paths(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : list_folder(folder)) {
    if (!is_shard_name(entry.path())) continue;
    if (!entry.exists()) throw IoError("is a broken link", entry.path(), "remove it, or put the shard in its place");
    if (entry.is_regular_file()) paths.push_back(entry.path());
  }
  return paths;
}

// Prefixes each run of digits with its length, so that 9 comes before 10.
std::string natural_key(const std::string& name) {
  std::string key;
  for (std::size_t i = 0; i < name.size();) {
    const std::size_t end = std::min(name.find_first_not_of("0123456789", i), name.size());
    if (end == i) {
      key += name[i++];
      continue;
    }
    key += static_cast<char>(std::min<std::size_t>(end - i, 200));
    key.append(name, i, end - i);
    i = end;
  }
  return key;
}

}  // namespace bertprep
