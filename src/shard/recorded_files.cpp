#include "shard/recorded_files.h"

#include "bertprep/base/error.h"
#include "bertprep/shard/manifest.h"
#include "io/digest.h"
#include "shard/token_set.h"

namespace bertprep {

RecordedFiles::RecordedFiles(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / Manifest::kFileName;
  if (!std::filesystem::exists(file) || !Manifest::is_own(file)) return;
  if (const auto tokens = TokenSet::load(folder)) {
    for (const TokenSetFile& entry : tokens->files) sha256_[entry.name] = entry.sha256;
    return;
  }
  for (const ManifestShard& shard : Manifest::load(file).shards) sha256_[shard.file] = shard.sha256;
}

bool RecordedFiles::is_unchanged(const std::filesystem::path& file, const Progress& progress) const {
  const auto recorded = sha256_.find(file.filename().string());
  return recorded == sha256_.end() || sha256_of_file(file, progress) == recorded->second;
}

void RecordedFiles::require_unchanged(const std::filesystem::path& file, const Progress& progress) const {
  if (is_unchanged(file, progress)) return;
  throw FormatError("is not the file that the manifest describes", file,
                    "its sha256 differs; fetch or make it again, or move manifest.json away to read it as it is");
}

}  // namespace bertprep
