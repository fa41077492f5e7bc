#include "trainer/shard_set.h"

#include <algorithm>

#include "bertprep/base/error.h"
#include "bertprep/base/fields.h"
#include "bertprep/shard/file_digest.h"
#include "bertprep/shard/manifest.h"
#include "bertprep/shard/shard_check.h"
#include "bertprep/shard/shard_reader.h"
#include "io/sha256.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kRowsAtOnce = 4096;

bool is_shard_name(const fs::path& path, const std::string& word) {
  return (path.extension() == ".hdf5" || path.extension() == ".h5") &&
         path.filename().string().find(word) != std::string::npos;
}

std::vector<fs::path> shard_paths(const fs::path& folder, const std::string& word) {
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error) throw IoError::from_errno("can't be read", folder, error.value());
  std::vector<fs::path> paths;
  for (const auto& entry : entries) {
    if (entry.is_regular_file() && is_shard_name(entry.path(), word)) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string where_shards_lie(const fs::path& folder, const std::string& word) {
  for (const auto& entry : fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied)) {
    if (is_shard_name(entry.path(), word)) return "there are some in " + entry.path().parent_path().string();
  }
  return "make some with bertprep run";
}

std::optional<Manifest> manifest_of(const fs::path& folder) {
  const fs::path file = folder / Manifest::kFileName;
  if (!fs::exists(file)) return std::nullopt;
  return Manifest::load(file);
}

void check_digest(const ShardEntry& shard, const Manifest& manifest) {
  const std::string name = shard.path.filename().string();
  const auto promised = std::find_if(manifest.shards.begin(), manifest.shards.end(),
                                     [&](const ManifestShard& entry) { return entry.file == name; });
  if (promised == manifest.shards.end()) {
    throw FormatError("is not in the manifest beside it", shard.path, "remove it, or make the folder again");
  }
  if (digest_file(shard.path).sha256 != promised->sha256) {
    throw FormatError("is not the file that the manifest describes", shard.path,
                      "its sha256 differs; fetch or make it again");
  }
}

void check_ids(const Batch& batch, std::int64_t vocab_size, const fs::path& path) {
  for (const auto* ids : {&batch.input_ids, &batch.masked_lm_ids}) {
    const auto largest = std::max_element(ids->begin(), ids->end());
    if (largest == ids->end() || *largest < vocab_size) continue;
    throw ConfigError(
        "holds token id " + std::to_string(*largest) + ", the model has a vocabulary of " + std::to_string(vocab_size),
        path, "give a config.json with the vocab_size of the vocabulary that the shards were made with");
  }
}

void check_shard(const ShardEntry& shard, std::int64_t vocab_size, Progress& progress) {
  ShardReader reader(shard.path);
  Batch batch;
  for (std::size_t first = 0; first < shard.rows; first += kRowsAtOnce) {
    if (progress.cancelled()) throw Cancelled();
    reader.read(first, std::min<std::size_t>(kRowsAtOnce, shard.rows - first), batch);
    check_ids(batch, vocab_size, shard.path);
    const auto faults = check_rows(batch, reader.shape(), first, static_cast<std::int32_t>(vocab_size));
    if (!faults.empty()) {
      throw FormatError(faults.front(), shard.path, "bertprep verify tells more of its faults");
    }
  }
}

void require_same_lengths(const ShardSet& set, const ShardShape& shape, const fs::path& path) {
  if (shape.seq_len == set.seq_len && shape.max_predictions == set.max_predictions) return;
  throw FormatError("has rows of " + std::to_string(shape.seq_len) + " tokens and " +
                        std::to_string(shape.max_predictions) + " predictions, " +
                        set.shards.front().path.filename().string() + " of " + std::to_string(set.seq_len) + " and " +
                        std::to_string(set.max_predictions),
                    path, "keep the shards of each phase in a folder of their own");
}

}  // namespace

std::uint64_t ShardSet::rows() const {
  std::uint64_t sum = 0;
  for (const ShardEntry& shard : shards) sum += shard.rows;
  return sum;
}

std::string ShardSet::fingerprint() const {
  std::string text = std::to_string(seq_len) + " " + std::to_string(max_predictions) + "\n";
  for (const ShardEntry& shard : shards) {
    text += shard.path.filename().string() + " " + std::to_string(shard.rows) + "\n";
  }
  return sha256_of(text);
}

ShardSet list_shards(const fs::path& folder, const std::string& word, bool required) {
  ShardSet set;
  for (const fs::path& path : shard_paths(folder, word)) {
    const ShardShape shape = ShardReader(path).shape();
    if (set.shards.empty()) {
      set.seq_len = shape.seq_len;
      set.max_predictions = shape.max_predictions;
    }
    require_same_lengths(set, shape, path);
    set.shards.push_back({path, shape.rows});
  }
  if (required && set.shards.empty()) {
    throw ConfigError("holds no shard with '" + word + "' in its name", folder, where_shards_lie(folder, word));
  }
  if (required && set.rows() == 0) throw ConfigError("the shards hold no rows", folder);
  if (const auto manifest = manifest_of(folder)) {
    if (const auto size = manifest->recipe_value("vocab-size")) set.vocab_size = parse_integer("vocab-size", *size);
  }
  return set;
}

void check_shards(const ShardSet& set, std::int64_t vocab_size, Progress& progress) {
  if (set.shards.empty()) return;
  const auto manifest = manifest_of(set.shards.front().path.parent_path());
  progress.begin("check", set.shards.size(), "shards");
  for (const ShardEntry& shard : set.shards) {
    if (manifest) check_digest(shard, *manifest);
    check_shard(shard, vocab_size, progress);
    progress.advance(1);
  }
  progress.end();
}

}  // namespace bertprep
