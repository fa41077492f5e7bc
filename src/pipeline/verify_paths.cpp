#include "pipeline/verify_paths.h"

#include <map>
#include <set>
#include <utility>

#include "bertprep/base/error.h"
#include "io/folder.h"
#include "pipeline/explain/shard_files.h"
#include "pipeline/sequences/sequence_set.h"
#include "shard/shard_names.h"
#include "shard/token_set.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// The sets at or below a folder.
std::set<fs::path> sequence_sets(const fs::path& folder) {
  if (is_sequence_set(folder)) return {folder};
  std::set<fs::path> sets;
  if (!fs::is_directory(folder)) return sets;
  walk_folder(folder, [&](const fs::directory_entry& entry) {
    if (is_hidden(entry.path())) return false;
    const bool is_set = is_sequence_set(entry.path());
    if (is_set) sets.insert(entry.path());
    return !is_set;
  });
  return sets;
}

VerifiedPath without_manifest(const SetWithoutManifest& set) {
  const std::string problem =
      set.is_ours ? ": is unfinished: it has no manifest.json; run its command again"
                  : ": has no manifest.json: it is unfinished, or another program's, which bertprep doctor checks";
  return {set.folder, "sequences", {.problems = {set.folder.string() + problem}}, false};
}

// Folders with the number of their shards. `is_known`: there is something else to check at the path.
std::map<fs::path, std::size_t> shard_folders(const fs::path& path, bool is_known) {
  std::map<fs::path, std::size_t> folders;
  if (fs::is_regular_file(path) && !is_shard_name(path)) {
    if (is_known) return folders;
    // Without a record, only shards are checked: beside another file, they would count for it.
    throw FormatError(
        "is not a shard: its name ends neither in .hdf5 nor in .h5; and no command's completion record "
        "names it",
        path, "give the folder of shards");
  }
  const std::set<fs::path> sets = sequence_sets(path);
  for (const ShardFile& file : sets.empty() && !is_known ? shard_files(path) : shard_files_if_any(path)) {
    if (const fs::path folder = folder_of(file.path); !sets.contains(folder)) ++folders[folder];
  }
  return folders;
}

}  // namespace

void verify_paths(const std::vector<fs::path>& paths, const WorkOptions& work, Progress& progress,
                  const std::function<void(const VerifiedPath& verified)>& take) {
  std::set<fs::path> known;
  for (const fs::path& path : paths) {
    WorkReport files = verify_results(path, work, progress);
    if (files.files == 0 && files.problems.empty()) continue;
    known.insert(path);
    take({path, "files", {files.files, 0, files.bytes, std::move(files.problems)}});
  }
  std::set<fs::path> sets;
  for (const fs::path& path : paths) sets.merge(sequence_sets(path));
  for (const fs::path& set : sets) take({set, "sequences", verify_sequences(set, progress)});
  for (const fs::path& path : paths) {
    const bool is_alone = !known.contains(path) && sequence_sets(path).empty() && shard_files_if_any(path).empty();
    for (const SetWithoutManifest& set : sets_without_manifest(path)) {
      if (!set.is_ours && !is_alone) continue;
      known.insert(path);
      take(without_manifest(set));
    }
  }
  std::map<fs::path, std::size_t> folders;
  for (const fs::path& path : paths) folders.merge(shard_folders(path, known.contains(path)));
  std::vector<ExpectedSpan> spans;
  for (const auto& [folder, shards] : folders) spans.push_back({"verify", static_cast<double>(shards)});
  progress.expect(spans);
  for (const auto& [folder, shards] : folders) take({folder, "shards", verify_shards(folder, work, progress)});
}

}  // namespace bertprep
