#include "shard_vocab.h"

#include <algorithm>
#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "bertprep/pipeline/build.h"
#include "bertprep/shard/manifest.h"
#include "io/folder.h"
#include "token/vocab_catalogue.h"

namespace bertprep::cli {
namespace {

namespace fs = std::filesystem;

// What load_vocab() takes.
std::vector<std::string> candidates(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  if (const fs::path own = folder / "vocab.txt"; fs::is_regular_file(own, error)) names.push_back(own.string());
  for (const KnownVocab& known : known_vocabs()) {
    if (known.built_in || !known.path.empty()) names.push_back(known.name);
  }
  // ROOT/PHASE/DATASET: where a run into ROOT keeps its downloads unless it is told otherwise.
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
      continue;  // another one may be meant
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Vocab> vocab_of_shard(const fs::path& shard, Console& console) {
  const fs::path folder = shard.has_parent_path() ? shard.parent_path() : fs::path(".");
  const fs::path manifest = folder / Manifest::kFileName;
  std::error_code error;
  if (!fs::exists(manifest, error)) {
    console.note("no manifest.json beside the shard names its vocabulary: give --vocab to see words");
    return std::nullopt;
  }
  const std::optional<std::string> sha256 = Manifest::load(manifest).recipe_value("vocab-sha256");
  if (!sha256) return std::nullopt;
  std::optional<Vocab> vocab = find_vocab(folder, *sha256);
  if (!vocab) {
    console.note("the vocabulary of the shard, with the SHA-256 " + *sha256 +
                 ", is not found: give it with --vocab to see words");
  }
  return vocab;
}

}  // namespace bertprep::cli
