#include "pipeline/status/found_runs.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/folder.h"
#include "io/record_files.h"
#include "io/state_folder.h"
#include "pipeline/array/array_state.h"
#include "pipeline/array/attempt.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/record_reader.h"
#include "pipeline/work/progress_report.h"

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

std::uint64_t count_in(const CompletionRecord& record, const char* name) {
  const Json* count = record.counts.find(name);
  return count == nullptr ? 0 : count->as_unsigned();
}

StageStatus status_of_record(const fs::path& folder, const CompletionRecord& record) {
  StageStatus stage{.stage = std::string(record.stage()), .tasks_planned = record.outputs.size()};
  stage.articles = count_in(record, "articles");
  stage.sentences = count_in(record, "sentences");
  bool other_size = false;
  for (const OutputEntry& output : record.outputs) {
    const OutputState state = output_state(folder, output);
    if (state == OutputState::kPresent) {
      ++stage.tasks_done;
      stage.bytes += output.size_bytes;
    } else if (stage.remark.empty()) {
      other_size = other_size || state == OutputState::kOtherSize;
      stage.remark = output.name + (state == OutputState::kMissing ? " is gone" : " has the wrong size");
    }
  }
  stage.state = stage.tasks_done == stage.tasks_planned ? StageState::kDone : StageState::kDamaged;
  // Files that are all missing were removed on purpose, by --keep or by hand.
  if (stage.tasks_done == 0 && !other_size) {
    stage.state = StageState::kNotStarted;
    stage.remark = "its files were removed";
  }
  return stage;
}

StageStatus unreadable(const char* stage) {
  return {.stage = stage, .state = StageState::kDamaged, .remark = "its completion record can't be read"};
}

// The record of all text shards, or of all extracted files, is named for their stage.
std::string name_of(const fs::path& folder, const std::string& task, const std::string& stage) {
  if (stage == "shard") return task.substr(0, task.size() - shard_task_name("").size());
  return stage == "extract" ? folder.filename().string() : task;
}

void add_result(const fs::path& folder, const std::string& task, std::vector<DatasetStatus>& list) try {
  const auto record = load_record(folder, task);
  if (!record || !record->is_of_text()) return;
  StageStatus stage = status_of_record(folder, *record);
  if (stage.state == StageState::kNotStarted) return;
  list.push_back({.name = name_of(folder, task, stage.stage), .stages = {std::move(stage)}});
} catch (const Error&) {
  // That of a shard is reported with the others of its set.
  if (fs::path(task).has_extension()) list.push_back({.name = task, .stages = {unreadable("")}});
}

// Outcomes of the attempts at a stage, except for tasks whose units are all done.
struct AttemptCounts {
  std::size_t running = 0;
  std::size_t failed = 0;
  std::size_t lost = 0;  // ended without a report: killed, or their machine failed
  const ProgressReport* last_failed = nullptr;
};

bool is_any_left(const ProgressReport& attempt, const std::set<std::size_t>& missing) {
  if (attempt.attempt->share.count == 0) return false;
  return std::any_of(missing.begin(), missing.end(), [&](std::size_t unit) {
    return unit % attempt.attempt->share.count == attempt.attempt->share.task;
  });
}

AttemptCounts count_attempts(std::span<const ProgressReport> attempts, std::string_view stage,
                             const std::set<std::size_t>& missing) {
  AttemptCounts counts;
  std::set<std::uint64_t> running;
  for (const ProgressReport& attempt : attempts) {
    if (attempt.stage == stage && attempt.is_alive()) running.insert(attempt.attempt->share.task);
  }
  counts.running = running.size();
  for (const ProgressReport& attempt : attempts) {
    if (attempt.stage != stage || attempt.is_alive() || running.contains(attempt.attempt->share.task)) continue;
    if (!is_any_left(attempt, missing)) continue;
    ++(attempt.error.empty() ? counts.lost : counts.failed);
    if (attempt.error.empty()) continue;
    const ProgressReport* last = counts.last_failed;
    if (last == nullptr || last->time_seconds < attempt.time_seconds) counts.last_failed = &attempt;
  }
  return counts;
}

std::string remark_of(const AttemptCounts& counts) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (counts.running != 0) add(grouped(counts.running) + " running");
  if (counts.failed != 0) add(grouped(counts.failed) + " failed");
  if (counts.lost != 0) add(grouped(counts.lost) + " gone");
  if (const ProgressReport* last = counts.last_failed) {
    const std::string job = last->attempt->origin.job.empty()
                                ? ""
                                : " (" + last->attempt->origin.engine + " " + last->attempt->origin.job + ")";
    text +=
        "; task " + std::to_string(last->attempt->share.task) + job + " on " + last->process.host + ": " + last->error;
  }
  return text;
}

StageStatus status_of_stage(const ArrayState& state, ArrayStage stage, std::span<const ProgressReport> attempts) {
  StageStatus status{.stage = std::string(name_of(stage))};
  const StageUnits units(state, stage, true);
  status.tasks_planned = units.count();
  std::set<std::size_t> missing;
  if (stage == ArrayStage::kFinish) {
    missing.insert(0);
  } else {
    for (const std::size_t unit : units.missing()) missing.insert(unit);
  }
  status.tasks_done = units.count() - missing.size();
  const AttemptCounts counts = count_attempts(attempts, status.stage, missing);
  status.remark = remark_of(counts);
  if (missing.empty() && units.count() != 0) {
    status.state = StageState::kDone;
  } else if (counts.running != 0) {
    status.state = StageState::kRunning;
  } else if (counts.failed != 0) {
    status.state = StageState::kFailed;
  } else if (status.tasks_done + counts.lost != 0) {
    status.state = StageState::kInterrupted;
  }
  status.fraction =
      static_cast<double>(status.tasks_done) / static_cast<double>(std::max<std::size_t>(1, units.count()));
  return status;
}

std::vector<ProgressReport> attempts_since(const fs::path& folder, std::uint64_t since) {
  std::vector<ProgressReport> attempts = read_attempts(folder);
  std::erase_if(attempts,
                [&](const ProgressReport& attempt) { return attempt.time_seconds < since && !attempt.is_alive(); });
  return attempts;
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

StageStatus status_of_task(const char* stage, const fs::path& folder, const std::string& task) try {
  const auto record = load_record(folder, task);
  StageStatus status = record ? status_of_record(folder, *record) : StageStatus();
  status.stage = stage;
  return status;
} catch (const Error&) {
  return unreadable(stage);
}

std::vector<DatasetStatus> find_results(const fs::path& path) {
  std::vector<DatasetStatus> list;
  if (fs::is_regular_file(path)) {
    add_result(folder_of(path), path.filename().string(), list);
  } else if (const auto state = find_state_folder(path)) {
    for (const std::string& task : RecordFiles(*state).tasks()) add_result(*folder_of_state(*state), task, list);
  }
  return list;
}

StageStatus status_of_plan(const Submission& submission) {
  StageStatus status{.stage = std::string(name_of(ArrayStage::kFetch)), .tasks_planned = 1};
  const auto attempts = attempts_since(array_layout(submission.array).attempts, submission.time_seconds);
  const AttemptCounts counts = count_attempts(attempts, status.stage, {0});
  status.remark = remark_of(counts);
  if (counts.running != 0) {
    status.state = StageState::kRunning;
  } else if (counts.failed != 0) {
    status.state = StageState::kFailed;
  }
  return status;
}

std::optional<std::uint64_t> modified_at(const fs::path& file) {
  std::error_code error;
  const fs::file_time_type time = fs::last_write_time(file, error);
  if (error) return std::nullopt;
  const auto since_1970 = fs::file_time_type::clock::to_sys(time).time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(since_1970).count());
}

std::optional<fs::path> find_array(const FoundRun& run, const fs::path& work) {
  const fs::path root = fs::absolute(run.root).lexically_normal();
  for (const auto& entry : list_folder_if_any(array_folder(work))) {
    std::error_code ignored;
    if (!fs::exists(entry.path() / "plan.json", ignored)) continue;
    try {
      const ArrayState state = open_array(array_layout(entry.path()));
      const bool is_of_run =
          state.run.folders.output == root && state.run.options.corpus.name == run.dataset &&
          std::any_of(run.phases.begin(), run.phases.end(), [&](const FoundPhase& phase) {
            return fs::absolute(phase.folder).lexically_normal() == result_folders(state.run.layout).front();
          });
      if (is_of_run && !state.is_finished) return entry.path();
    } catch (const Error&) {
      continue;  // replaced just now
    }
  }
  return std::nullopt;
}

std::vector<StageStatus> stages_of_array(const fs::path& job, std::uint64_t since) {
  const ArrayState state = open_array(array_layout(job));
  const std::vector<ProgressReport> attempts = attempts_since(state.layout.attempts, since);
  std::vector<StageStatus> stages;
  for (const ArrayStage stage : kArrayStages) {
    if (stage != ArrayStage::kFetch) stages.push_back(status_of_stage(state, stage, attempts));
  }
  return stages;
}

}  // namespace bertprep
