// Finishing a folder of shards that tasks of an array have filled.
#include <algorithm>
#include <system_error>

#include "base/number_text.h"
#include "base/stage_errors.h"
#include "bertprep/base/error.h"
#include "bertprep/shard/manifest.h"
#include "io/file_system.h"
#include "io/folder.h"
#include "io/state_folder.h"
#include "pipeline/array/array_job.h"
#include "pipeline/array/array_work.h"
#include "pipeline/records/announced_shards.h"
#include "pipeline/records/manifest_of_folder.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNamedShards = 5;
// ROOT/hdf5_.../NAME is two folders down; one more for a folder of several roots.
constexpr int kDeepest = 3;

DatasetReport finish_announced(const OutputFolder& folder, const Announcement& announced) {
  std::vector<std::string> missing;
  for (const std::string& file : announced.shards) {
    const auto record = folder.record(fs::path(file).stem().string());
    if (!record || !folder.finished(fs::path(file).stem().string(), record->key)) missing.push_back(file);
  }
  if (!missing.empty()) {
    std::string names;
    for (std::size_t i = 0; i < std::min(missing.size(), kNamedShards); ++i) names += (i == 0 ? "" : ", ") + missing[i];
    if (missing.size() > kNamedShards) names += " ...";
    throw FormatError(counted_of(missing.size(), announced.shards.size(), "shard", "is", "are") + " missing: " + names,
                      folder.path(), "run the tasks of the array again; finished work is not repeated");
  }
  const Manifest manifest = merge_records(folder, announced.dataset, {}, {});
  publish_manifest(folder, manifest);
  fs::remove(announced.file);
  return {folder.path(), manifest.data, manifest.warnings};
}

// If the state of the job is missing, another job or run may have completed the folder.
std::vector<DatasetReport> finish_job_of(const OutputFolder& folder, const Announcement& announced,
                                         Progress& progress) {
  std::vector<DatasetReport> finished;
  const ArrayLayout layout = array_layout(announced.job);
  if (exists_now(layout.plan)) {
    const ArrayState state = open_array(layout);
    if (!state.is_finished) finished = finish_array(state, progress).data;
  } else if (!exists_now(folder.path() / Manifest::kFileName)) {
    throw FormatError("the array job that fills this folder can't be found", announced.job,
                      "finish on a machine that sees its work folder; if that is gone, start with `stage` fetch again");
  }
  std::error_code ignored;
  fs::remove(announced.file, ignored);
  return finished;
}

void collect(const fs::path& folder, int depth, std::vector<fs::path>& found) {
  const auto state = find_state_folder(folder);
  if (state && !announcements(*state).empty()) found.push_back(folder);
  if (depth == 0) return;
  for (const auto& entry : list_folder_if_any(folder)) {
    std::error_code ignored;
    if (entry.is_directory(ignored) && !is_hidden(entry.path())) {
      collect(entry.path(), depth - 1, found);
    }
  }
}

}  // namespace

std::vector<fs::path> unfinished_shard_folders(const fs::path& root) {
  std::vector<fs::path> found;
  collect(root, kDeepest, found);
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<DatasetReport> finish_shards(const fs::path& path, Progress& progress) try {
  std::vector<DatasetReport> finished;
  const auto state = find_state_folder(path);
  std::vector<Announcement> announced = state ? announcements(*state) : std::vector<Announcement>();
  if (announced.empty()) return finished;
  const OutputFolder folder = OutputFolder::make_shared(path);
  // First those with accessible state: they may complete the folder for others.
  std::stable_partition(announced.begin(), announced.end(), [](const Announcement& one) {
    return one.job.empty() || exists_now(array_layout(one.job).plan);
  });
  for (const Announcement& one : announced) {
    if (one.job.empty()) {
      finished.push_back(finish_announced(folder, one));
    } else {
      for (DatasetReport& report : finish_job_of(folder, one, progress)) finished.push_back(std::move(report));
    }
  }
  folder.remove_leftovers();
  return finished;
} catch (...) {
  rethrow_as_error("finishing an array job");
}

}  // namespace bertprep
