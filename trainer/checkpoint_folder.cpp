#include "trainer/checkpoint_folder.h"

#include <algorithm>
#include <chrono>
#include <string_view>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/folder.h"
#include "io/output_file.h"
#include "io/pending_file.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "checkpoint_";
constexpr std::string_view kSuffix = ".safetensors";
constexpr std::string_view kPartial = ".partial";
constexpr const char* kUnfinished = ".unfinished";
// A live writer writes continuously.
constexpr std::chrono::hours kPartialsLive{1};

std::optional<std::int64_t> step_of(std::string_view name) {
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  name.remove_suffix(kSuffix.size());
  const auto step = number_in<std::int64_t>(name);
  return step && *step >= 0 ? step : std::nullopt;
}

// Removes unfinished files of a run on another machine, or in a container that no longer exists.
void remove_old_partials(const fs::path& folder) {
  std::error_code gone;
  for (const auto& entry : list_folder(folder, gone)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kPrefix) || !name.ends_with(kPartial)) continue;
    const auto written = fs::last_write_time(entry.path(), gone);
    if (!gone && fs::file_time_type::clock::now() - written > kPartialsLive) fs::remove(entry.path(), gone);
  }
}

void remove_checkpoint(const fs::path& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) throw IoError::from_errno("can't be removed", path, error.value());
}

void remove_older(const fs::path& folder, std::int64_t step, std::size_t keep) {
  auto all = list_checkpoints(folder);
  // Later steps can only be from a run before a restart.
  while (!all.empty() && all.back().step > step) {
    remove_checkpoint(all.back().path);
    all.pop_back();
  }
  for (std::size_t i = 0; i + keep < all.size(); ++i) remove_checkpoint(all[i].path);
}

}  // namespace

std::vector<CheckpointFile> list_checkpoints(const fs::path& folder) {
  std::vector<CheckpointFile> files;
  for (const auto& entry : list_folder_if_any(folder)) {
    if (const auto step = step_of(entry.path().filename().string())) files.push_back({*step, entry.path()});
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.step < b.step; });
  return files;
}

std::optional<CheckpointFile> newest_checkpoint(const fs::path& folder) {
  const auto files = list_checkpoints(folder);
  return files.empty() ? std::nullopt : std::optional(files.back());
}

fs::path unfinished_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder / kUnfinished, error);
  if (error) throw IoError::from_errno("can't be created", folder, error.value());
  return folder / kUnfinished;
}

void tidy_unfinished(const fs::path& folder) {
  for (const fs::path& place : {folder / kUnfinished, folder}) {
    remove_abandoned_files(place);
    remove_old_partials(place);
  }
  std::error_code not_empty;
  fs::remove(folder / kUnfinished, not_empty);
}

void require_writable(const fs::path& folder) {
  const fs::path unfinished = unfinished_folder(folder);
  {
    const PendingFile probe(folder / "probe", unfinished);
    OutputFile file(probe.path());
    file.finish();
  }
  tidy_unfinished(folder);
}

void tidy_checkpoints(const fs::path& folder, std::int64_t step, std::size_t keep) {
  remove_older(folder, step, keep);
  tidy_unfinished(folder);
}

fs::path write_checkpoint(const fs::path& folder, std::int64_t step, std::size_t keep,
                          const std::vector<TensorView>& tensors, const TensorNotes& notes) {
  const fs::path path = folder / (std::string(kPrefix) + std::to_string(step) + std::string(kSuffix));
  PendingFile file(path, unfinished_folder(folder));
  write_safetensors(file.path(), tensors, notes);
  file.publish();
  sync_folder(folder);
  tidy_checkpoints(folder, step, keep);
  return path;
}

}  // namespace bertprep
