#include "quality/sequences/any_doctor.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <set>

#include "io/folder.h"
#include "shard/mds/mds_index.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kIds = ".bin";
constexpr const char* kIndex = ".idx";

std::string first_bytes(const fs::path& file, std::size_t most) {
  std::string bytes(most, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(bytes.data(), static_cast<std::streamsize>(most));
  bytes.resize(static_cast<std::size_t>(stream.gcount()));
  return bytes;
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

fs::path with(const fs::path& prefix, const char* ending) {
  return prefix.string() + ending;
}

// Many other programs have an index.json or a .bin.
bool is_mds_index(const fs::path& file) {
  constexpr std::size_t kProbeBytes = std::size_t{1} << 16U;
  if (file.filename() != kMdsIndexName || !is_file(file)) return false;
  const std::string bytes = first_bytes(file, kProbeBytes);
  return bytes.find("\"shards\"") != std::string::npos || bytes.find("\"raw_data\"") != std::string::npos;
}

bool is_megatron_name(const fs::path& prefix) {
  const std::string name = prefix.filename().string();
  return name.ends_with("_document") || name.ends_with("_sentence");
}

bool is_megatron(const fs::path& file) {
  const bool is_index = file.extension() == kIndex;
  if (!is_index && file.extension() != kIds) return false;
  fs::path prefix = file;
  prefix.replace_extension();
  if (is_megatron_name(prefix)) return true;
  return is_file(with(prefix, kIndex)) && first_bytes(with(prefix, kIndex), 7) == "MMIDIDX";
}

void add_file(const fs::path& file, std::set<fs::path>& mds, std::set<fs::path>& megatron) {
  if (is_mds_index(file) || is_mds_shard(file.filename().string())) {
    mds.insert(file.parent_path());
  } else if (is_megatron(file)) {
    fs::path prefix = file;
    megatron.insert(prefix.replace_extension());
  }
}

// Drops those below another one with an index.
std::vector<fs::path> topmost(const std::set<fs::path>& folders) {
  std::vector<fs::path> kept;
  for (const fs::path& folder : folders) {
    const auto holds = [&](const fs::path& above) {
      const auto [end, rest] = std::mismatch(above.begin(), above.end(), folder.begin(), folder.end());
      return end == above.end() && is_file(above / kMdsIndexName);
    };
    if (!std::any_of(kept.begin(), kept.end(), holds)) kept.push_back(folder);
  }
  return kept;
}

}  // namespace

bool is_mds_shard(const std::string& name) {
  const std::size_t at = name.find(".mds");
  if (at == std::string::npos || at == 0 || name.starts_with(".")) return false;
  const std::string ending = name.substr(at + 4);
  constexpr std::array<const char*, 7> kEndings{"", ".zstd", ".zst", ".gz", ".bz2", ".br", ".snappy"};
  return std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
}

bool is_split_name(const std::string& name) {
  constexpr std::array kWords{"train", "training", "val", "valid", "validation", "eval", "evaluation", "test", "dev"};
  return std::find(kWords.begin(), kWords.end(), name) != kWords.end();
}

SequenceSets find_sequence_sets(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    const fs::path name = path.filename();
    if (is_file(path) && (name == kMdsIndexName || is_mds_shard(name.string()))) {
      return {{folder_of(path)}, {}};
    }
    fs::path prefix = path;
    if (is_file(path) && (path.extension() == kIds || path.extension() == kIndex))
      return {{}, {prefix.replace_extension()}};
    if (is_file(with(path, kIds)) || is_file(with(path, kIndex))) return {{}, {path}};
    return {};
  }
  std::set<fs::path> mds;
  std::set<fs::path> megatron;
  walk_folder(path, [&](const fs::directory_entry& entry) {
    if (is_hidden(entry.path())) return false;
    if (entry.is_regular_file()) add_file(entry.path(), mds, megatron);
    return may_be_read(entry);
  });
  return {topmost(mds), {megatron.begin(), megatron.end()}};
}

}  // namespace bertprep
