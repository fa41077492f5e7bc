#include "pipeline/status/found_runs.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "bertprep/base/error.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "pipeline/records/record_reader.h"
#include "pipeline/records/state_folder.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// ROOT/hdf5_.../NAME is two folders down; one more for a folder of several roots.
constexpr int kDeepest = 4;
constexpr std::string_view kStateEnding = ".bertprep";

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
    if (name == kStateEnding) {
      found.push_back({folder, entry.path()});
    } else if (name.starts_with(".") && name.ends_with(kStateEnding)) {
      found.push_back({folder / name.substr(1, name.size() - 1 - kStateEnding.size()), entry.path()});
    } else if (!name.starts_with(".") && depth < kDeepest) {
      collect_states(entry.path(), depth + 1, found);
    }
  }
}

std::optional<Json> find_json(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return std::nullopt;
  try {
    return Json::parse(read_file(file), file.string());
  } catch (const Error&) {
    return std::nullopt;  // replaced just now, or damaged: the next writer repairs it
  }
}

std::optional<RunDescription> find_description(const fs::path& state) {
  const fs::path file = state / RunDescription::kFileName;
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return std::nullopt;
  try {
    return RunDescription::from_bytes(read_file(file), file.string());
  } catch (const Error&) {
    return std::nullopt;  // damaged: the run's next call writes it again
  }
}

void take_newer(std::optional<ProgressReport>& report, const fs::path& state) {
  const auto json = find_json(state / ProgressReport::kFileName);
  if (!json) return;
  try {
    ProgressReport other = ProgressReport::from_json(*json);
    if (!report || report->time_seconds < other.time_seconds) report = std::move(other);
  } catch (const Error&) {
  }
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
    const auto other = found.state ? find_description(*found.state) : std::nullopt;
    if (!other || other->to_json().dump_line() == description) phases.push_back(std::move(found));
  }
  return phases;
}

bool has_shard_records(const StateOf& place) {
  const RecordedShards shards = look_at_shards(place.folder, place.state, {});
  const RecordedShards parts = look_at_sequences(place.folder, place.state, nullptr);
  return shards.done + shards.damaged + parts.done + parts.damaged != 0;
}

}  // namespace

std::vector<FoundRun> find_runs(const fs::path& root) {
  std::vector<StateOf> places;
  collect_states(root, 1, places);
  std::map<std::pair<std::string, std::string>, FoundRun> runs;
  for (const StateOf& place : places) {
    const auto description = find_description(place.state);
    const auto run_root = description ? root_of(place.folder, *description) : std::nullopt;
    FoundRun run{.dataset = place.folder.filename().string(), .root = root};
    std::string key = place.folder.string();
    if (run_root) {
      key = description->to_json().dump_line();
      run = {.dataset = description->dataset,
             .root = *run_root,
             .description = description,
             .phases = phases_of(*description, *run_root, key)};
    } else if (has_shard_records(place)) {
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
