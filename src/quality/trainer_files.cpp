#include "quality/trainer_files.h"

#include <algorithm>
#include <fstream>
#include <set>

#include "bertprep/base/error.h"
#include "io/file_system.h"
#include "io/folder.h"
#include "shard/shard_names.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTraining = "training";

// The signature of an HDF5 file, unless it has a user block.
bool begins_as_hdf5(const fs::path& file) {
  constexpr std::string_view kSignature("\x89HDF\r\n\x1a\n", 8);
  return first_bytes(file, kSignature.size()) == kSignature;
}

bool is_set_off(char c) {
  return c == '-' || c == '.' || c == '_' || c == ' ' || (c >= '0' && c <= '9');
}

bool has_word(std::string_view name, std::string_view word) {
  for (std::size_t at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || is_set_off(name[at - 1])) && end < name.size() && is_set_off(name[end])) return true;
  }
  return false;
}

SetFile set_file(const fs::path& path) {
  const std::string name = path.filename().string();
  return {path, name, is_named_for(name, kTraining), is_named_for(name, "test")};
}

}  // namespace

bool takes_for_training(TrainerKind trainer, const std::string& name) {
  switch (trainer) {
    case TrainerKind::kNvidia:
    case TrainerKind::kHabana:
      return name.find(kTraining) != std::string::npos;
    case TrainerKind::kNeuron:
      return matches_pattern(name, "*_training_*.hdf5");
    case TrainerKind::kBerttrain:
      return is_shard_name(name, kTraining);
    default: {
      const auto splits = splits_of(name);
      return splits.empty() || std::find(splits.begin(), splits.end(), "train") != splits.end();
    }
  }
}

std::vector<std::string> splits_of(std::string_view name) {
  struct Split {
    const char* name;
    std::vector<std::string_view> words;
  };
  static const std::array<Split, 3> kSplits{{{"train", {"train", "training"}},
                                             {"validation", {"validation", "valid", "dev", "val"}},
                                             {"test", {"test", "testing", "eval", "evaluation"}}}};
  std::vector<std::string> splits;
  for (const Split& split : kSplits) {
    const auto stands = [&](std::string_view word) { return has_word(name, word); };
    if (std::any_of(split.words.begin(), split.words.end(), stands)) splits.emplace_back(split.name);
  }
  return splits;
}

SetFolder list_set(const fs::path& path) {
  if (!fs::exists(path)) throw IoError::from_errno("can't be opened", path, ENOENT);
  SetFolder set;
  if (!fs::is_directory(path)) {
    set.shards.push_back(set_file(path));
    return set;
  }
  for (const auto& entry : list_folder(path)) {
    if (entry.is_directory()) continue;
    const std::string name = entry.path().filename().string();
    const bool is_named = name.find(kTraining) != std::string::npos;
    const bool is_like_one =
        is_named && !is_hidden(name) && !entry.path().has_extension() && begins_as_hdf5(entry.path());
    if (is_shard_name(name) || is_like_one) {
      set.shards.push_back(set_file(entry.path()));
    } else if (is_named) {
      set.sides.push_back(name);
    }
  }
  return set;
}

std::string first_bytes(const fs::path& file, std::size_t most) {
  std::string bytes(most, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(bytes.data(), static_cast<std::streamsize>(most));
  bytes.resize(static_cast<std::size_t>(stream.gcount()));
  return bytes;
}

void visit_files_below(const fs::path& folder, const std::function<void(const fs::path&)>& visit) {
  walk_folder(folder, [&](const fs::directory_entry& entry) {
    if (is_hidden(entry.path())) return false;
    if (entry.is_regular_file()) visit(entry.path());
    return may_be_read(entry);
  });
}

std::vector<fs::path> folders_with_shards(const fs::path& folder) {
  std::set<fs::path> folders;
  visit_files_below(folder, [&](const fs::path& file) {
    if (is_shard_name(file)) folders.insert(file.parent_path());
  });
  return {folders.begin(), folders.end()};
}

}  // namespace bertprep
