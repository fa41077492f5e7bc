#include "pipeline/explain/shard_files.h"

#include <algorithm>
#include <cerrno>
#include <tuple>

#include "bertprep/base/error.h"
#include "bertprep/pipeline/build.h"
#include "io/folder.h"
#include "pipeline/sequences/sequence_set.h"
#include "shard/shard_names.h"
#include "shard/token_set.h"
#include "token/vocab_catalogue.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// Arguments for load_vocab().
std::vector<std::string> candidates(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  if (const fs::path own = folder / "vocab.txt"; fs::is_regular_file(own, error)) names.push_back(own.string());
  for (const KnownVocab& known : known_vocabs()) {
    if (known.built_in || !known.path.empty()) names.push_back(known.name);
  }
  // ROOT/PHASE/DATASET: where a run into ROOT keeps its downloads by default.
  const fs::path root = fs::absolute(folder, error).lexically_normal().parent_path().parent_path();
  const std::size_t first = names.size();
  for (const auto& entry : list_folder_if_any(work_folder({root}) / "download" / "vocab")) {
    if (entry.path().extension() == ".txt") names.push_back(entry.path().string());
  }
  std::sort(names.begin() + static_cast<std::ptrdiff_t>(first), names.end());
  return names;
}

std::optional<Vocab> find_vocab(const fs::path& folder, const std::string& sha256) {
  for (const std::string& name : candidates(folder)) {
    try {
      Vocab vocab = load_vocab(name);
      if (vocab.sha256() == sha256) return vocab;
    } catch (const Error&) {
      continue;  // another one may match
    }
  }
  return std::nullopt;
}

// Nothing for byte-level BPE, whose pieces are no words.
std::optional<Vocab> vocab_of_sequences(const fs::path& folder) {
  const fs::path pieces = folder / TokenSet::kTokenizerFolder / "vocab.txt";
  std::error_code error;
  if (!fs::exists(pieces, error)) return std::nullopt;
  return load_vocab(pieces.string());
}

}  // namespace

std::vector<ShardFile> shard_files_if_any(const fs::path& path) {
  if (!fs::exists(path)) throw IoError::from_errno("can't be opened", path, ENOENT);
  if (!fs::is_directory(path)) return {{path, path.filename().string()}};
  std::vector<ShardFile> files;
  walk_folder(path, [&](const fs::directory_entry& entry) {
    if (is_hidden(entry.path())) return false;
    if (entry.is_regular_file() && is_shard_name(entry.path())) {
      files.push_back({entry.path(), entry.path().lexically_relative(path).string()});
    }
    return true;
  });
  std::ranges::sort(files, {}, [](const ShardFile& file) { return file.path.string(); });
  return files;
}

std::vector<ShardFile> shard_files(const fs::path& path) {
  std::vector<ShardFile> files = shard_files_if_any(path);
  if (files.empty() && is_sequence_set(path)) {
    throw FormatError("is a set of 'bertprep sequences' without HDF5 files", path,
                      "inspect and report show its rows; status, verify and doctor know it, too");
  }
  if (files.empty()) {
    throw FormatError(
        fs::is_empty(path) ? "is an empty folder" : "contains no .hdf5 or .h5 file, and neither does a folder below it",
        path, "give a folder of shards, or the `output` folder of a run");
  }
  return files;
}

const ShardFile& first_shard(const std::vector<ShardFile>& files) {
  const auto place = [](const ShardFile& file) {
    const std::string name = file.path.filename().string();
    const bool is_test = name.find("training") == std::string::npos;
    return std::tuple(natural_key(file.path.parent_path().string()), is_test, natural_key(name));
  };
  return *std::ranges::min_element(files, {}, place);
}

std::optional<Vocab> vocab_of_shard(const fs::path& shard, Progress& progress) {
  const fs::path folder = folder_of(shard);
  const fs::path manifest = folder / Manifest::kFileName;
  std::error_code error;
  if (!fs::exists(manifest, error)) {
    progress.note("no manifest.json beside the shard names its vocabulary: give `vocab` to see words");
    return std::nullopt;
  }
  if (TokenSet::load(folder)) return vocab_of_sequences(folder);
  const std::optional<std::string> sha256 = Manifest::load(manifest).recipe_value("vocab-sha256");
  if (!sha256) return std::nullopt;
  std::optional<Vocab> vocab = find_vocab(folder, *sha256);
  if (!vocab) {
    progress.note("the vocabulary of the shard, with the SHA-256 " + *sha256 +
                  ", is not found: give it as `vocab` to see words");
  }
  return vocab;
}

}  // namespace bertprep
