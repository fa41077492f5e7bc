#include "pipeline/status/found_runs.h"

#include <algorithm>
#include <map>

#include "io/folder.h"
#include "io/state_folder.h"
#include "pipeline/records/record_reader.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// ROOT/hdf5_.../NAME is two folders down; one more for a folder of several roots.
constexpr int kDeepest = 4;

struct StateOf {
  fs::path folder;
  fs::path state;
};

void collect_states(const fs::path& folder, int depth, std::vector<StateOf>& found) {
  std::error_code error;
  for (const auto& entry : list_folder(folder, error)) {
    const std::string name = entry.path().filename().string();
    std::error_code ignored;
    if (!entry.is_directory(ignored)) continue;
    if (const auto results = folder_of_state(entry.path())) {
      found.push_back({*results, entry.path()});
    } else if (!name.starts_with(".") && depth < kDeepest) {
      collect_states(entry.path(), depth + 1, found);
    }
  }
}

// Those at or below `root`.
std::vector<StateOf> states_of(const fs::path& root) {
  std::vector<StateOf> found;
  if (const auto state = find_state_folder(root)) found.push_back({*folder_of_state(*state), *state});
  collect_states(root, 1, found);
  return found;
}

void take_newer(std::optional<ProgressReport>& report, const fs::path& state) {
  auto other = ProgressReport::find(state);
  if (other && (!report || report->time_seconds < other->time_seconds)) report = std::move(other);
}

// The folder to which the phase's folder is relative; nothing if they were separated.
std::optional<fs::path> root_of(const fs::path& folder, const RunDescription& run) {
  const fs::path absolute = fs::absolute(folder).lexically_normal();
  for (const RunPhase& phase : run.phases) {
    fs::path root = absolute;
    for ([[maybe_unused]] const fs::path& part : fs::path(phase.folder)) root = root.parent_path();
    if (root / phase.folder == absolute) return root;
  }
  return std::nullopt;
}

// All phases of a described run, except those whose folder another run now uses.
std::vector<FoundPhase> phases_of(const RunDescription& run, const fs::path& root, const std::string& description) {
  std::vector<FoundPhase> phases;
  for (const RunPhase& phase : run.phases) {
    FoundPhase found{root / phase.folder, find_state_folder(root / phase.folder), phase.recipe};
    const auto other = found.state ? RunDescription::find(*found.state) : std::nullopt;
    if (!other || other->to_json().dump_line() == description) phases.push_back(std::move(found));
  }
  return phases;
}

bool has_shard_records(const StateOf& place) {
  const RecordedShards shards = sum_shard_records(place.folder, place.state, {});
  const RecordedShards parts = sum_sequence_records(place.folder, place.state, nullptr);
  return shards.done + shards.damaged + parts.done + parts.damaged != 0;
}

}  // namespace

std::vector<FoundRun> find_runs(const fs::path& root) {
  std::map<std::pair<std::string, std::string>, FoundRun> runs;
  for (const StateOf& place : states_of(root)) {
    const auto description = RunDescription::find(place.state);
    const auto run_root = description ? root_of(place.folder, *description) : std::nullopt;
    FoundRun run{.dataset = place.folder.filename().string(), .root = root};
    std::string key = place.folder.string();
    if (run_root) {
      key = description->to_json().dump_line();
      run = {.dataset = description->dataset,
             .root = *run_root,
             .description = description,
             .phases = phases_of(*description, *run_root, key)};
    } else if (has_shard_records(place) || ProgressReport::find(place.state)) {
      run.phases.push_back({place.folder, place.state, Json()});
    } else {
      continue;
    }
    FoundRun& kept = runs.try_emplace({run.root.string(), key}, std::move(run)).first->second;
    take_newer(kept.report, place.state);
  }
  std::vector<FoundRun> list;
  for (auto& [key, run] : runs) list.push_back(std::move(run));
  std::stable_sort(list.begin(), list.end(),
                   [](const FoundRun& left, const FoundRun& right) { return left.dataset < right.dataset; });
  return list;
}

}  // namespace bertprep
