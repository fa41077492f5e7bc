#include "pipeline/status/found_runs.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "bertprep/shard/manifest.h"
#include "io/folder.h"
#include "io/json.h"
#include "io/record_files.h"
#include "io/state_folder.h"
#include "pipeline/array/array_state.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/manifest_of_folder.h"
#include "pipeline/records/recipe.h"

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

// The stage of `bertprep run` to which a span of work belongs.
std::string stage_of(const std::string& span) {
  return span == "sentences" || span == "text shards" ? "shard" : span;
}

// If the journal's last report is about this stage, applies it.
void apply_report(const std::optional<ProgressReport>& report, StageStatus& stage) {
  if (!report || stage_of(report->stage) != stage.stage) return;
  const bool alive = report->is_alive();
  if (!alive && stage.state == StageState::kDone) return;
  if (!alive && stage.state == StageState::kDamaged) return;
  stage.state = alive ? StageState::kRunning : report->error.empty() ? StageState::kInterrupted : StageState::kFailed;
  if (stage.tasks_planned <= 1 || stage.stage == "shard") stage.fraction = report->fraction();
}

// Of a stage by itself, whose plan only its report tells. A report that is left means that it has not ended.
void apply_report_of_stage(const std::optional<ProgressReport>& report, StageStatus& stage) {
  if (!report) return;
  stage.stage = report->stage;
  stage.tasks_planned = std::max(stage.tasks_planned, report->total);
  if (stage.state == StageState::kDone) stage.state = StageState::kInterrupted;
  apply_report(report, stage);
}

std::map<std::string, std::string> text_digests(const fs::path& folder, const std::string& dataset) {
  std::map<std::string, std::string> digests;
  const auto record = find_record(folder, shard_task_name(dataset));
  if (!record) return digests;
  for (const OutputEntry& output : record->outputs) digests[fs::path(output.name).stem().string()] = output.sha256;
  return digests;
}

// By the journal or, without one, by the manifest.
bool is_of_sequences(const FoundPhase& phase) {
  const Json* stage = phase.recipe.kind() == Json::Kind::Object ? phase.recipe.find("stage") : nullptr;
  return stage != nullptr ? stage->text() == kSequenceStage
                          : phase.state && sum_sequence_records(phase.folder, *phase.state, nullptr).done != 0;
}

// Megatron has one set per split, other formats one part per text shard.
std::uint64_t parts_planned(const FoundRun& run, const FoundPhase& phase) {
  constexpr std::uint64_t kSplits = 2;
  if (!run.description) return 0;
  const Json* format = is_of_sequences(phase) ? phase.recipe.find("to") : nullptr;
  return format != nullptr && format->text() == "megatron" ? kSplits : run.description->shards();
}

StageStatus results_status(const FoundPhase& phase, std::uint64_t planned,
                           const std::map<std::string, std::string>& digests) {
  const bool is_sequences = is_of_sequences(phase);
  const Json* recipe = phase.recipe.kind() == Json::Kind::Object ? &phase.recipe : nullptr;
  StageStatus stage{.stage = is_sequences ? kSequenceStage : "instances", .tasks_planned = planned};
  const Json* seq_len = recipe != nullptr ? recipe->find("seq-len") : nullptr;
  if (seq_len != nullptr) stage.seq_len = Json::number_text(seq_len->text()).as_unsigned();
  if (!phase.state) return stage;
  const RecordedShards shards = is_sequences ? sum_sequence_records(phase.folder, *phase.state, recipe)
                                             : sum_shard_records(phase.folder, *phase.state, {recipe, digests});
  if (planned == 0) stage.tasks_planned = shards.done + shards.damaged;
  if (recipe == nullptr && !shards.stage.empty()) stage.stage = shards.stage;
  if (recipe == nullptr) stage.seq_len = shards.seq_len;
  stage.tasks_done = shards.done;
  stage.articles = shards.articles;
  stage.sentences = shards.sentences;
  stage.rows = shards.rows;
  stage.bytes = shards.bytes;
  if (stage.tasks_planned != 0 && shards.done >= stage.tasks_planned) {
    stage.state = StageState::kDone;
  } else if (shards.done + shards.outdated != 0) {
    stage.state = StageState::kInterrupted;
  }
  if (shards.outdated != 0) {
    stage.remark = counted(shards.outdated, "shard") + " with other options or text to be made again";
  }
  if (shards.damaged != 0) {
    stage.state = StageState::kDamaged;
    stage.remark = shards.first_damage;
  }
  if (stage.tasks_planned != 0) {
    stage.fraction = std::min(1.0, static_cast<double>(stage.tasks_done) / static_cast<double>(stage.tasks_planned));
  }
  return stage;
}

StageState sequences_state(const fs::path& file, const StageStatus& parts) {
  const Json manifest = read_sealed(file);
  std::uint64_t rows = 0;
  for (const auto& [split, counts] : manifest.at("splits").members()) rows += counts.at("sequences").as_unsigned();
  return rows == parts.rows ? StageState::kDone : StageState::kInterrupted;
}

// Whether the manifest of a phase exists and matches the number of shards, rows and bytes.
StageState manifest_state(const FoundPhase& phase, const StageStatus& instances) {
  const fs::path file = phase.folder / Manifest::kFileName;
  std::error_code error;
  if (!fs::exists(file, error)) return StageState::kNotStarted;
  try {
    if (instances.stage == kSequenceStage) return sequences_state(file, instances);
    const Manifest manifest = Manifest::load(file);
    std::uint64_t bytes = 0;
    for (const ManifestShard& shard : manifest.shards) bytes += shard.bytes;
    const bool fits =
        manifest.shards.size() == instances.tasks_done && manifest.rows() == instances.rows && bytes == instances.bytes;
    return fits ? StageState::kDone : StageState::kInterrupted;
  } catch (const Error&) {
    return StageState::kDamaged;
  }
}

// Until its shards are done, a manifest that does not match is outdated and will be replaced.
StageStatus manifest_status(const FoundRun& run, const std::vector<StageStatus>& instances) {
  StageStatus stage{.stage = "manifest", .tasks_planned = run.phases.size()};
  bool damaged = false;
  bool shards_are_done = true;
  for (std::size_t i = 0; i < run.phases.size(); ++i) {
    const StageState state = manifest_state(run.phases[i], instances[i]);
    stage.tasks_done += state == StageState::kDone ? 1 : 0;
    damaged = damaged || state == StageState::kDamaged;
    shards_are_done = shards_are_done && instances[i].state == StageState::kDone;
  }
  if (stage.tasks_done == stage.tasks_planned && shards_are_done) {
    stage.state = StageState::kDone;
  } else if (damaged) {
    stage.state = StageState::kDamaged;
    stage.remark = "manifest.json can't be read";
  }
  return stage;
}

// The stages before an existing result are done, whether their files were kept or not.
void imply_done(StageStatus& stage, bool later_is_done, const fs::path& work) {
  if (!later_is_done || stage.state == StageState::kDone || stage.state == StageState::kRunning) return;
  const bool unseen = stage.remark.empty();
  stage.remark =
      unseen ? "not checked: none of its files are in " + work.string() : stage.remark + ", which were not needed";
  if (stage.state == StageState::kDamaged) stage.remark = "its files are incomplete and no longer needed";
  stage.state = StageState::kDone;
  stage.fraction = 1;
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

bool has_text_of(const FoundRun& run, const fs::path& work) {
  if (!run.description) return false;
  const fs::path formatted = work / run.description->formatted;
  const auto record = find_record(formatted.parent_path(), formatted.filename().string());
  const std::string text = record ? counts_of(*record).text_sha256 : "";
  return !text.empty() && std::ranges::any_of(run.phases, [&](const FoundPhase& phase) {
    const auto made_from = text_of_dataset(phase.folder);
    return !made_from || *made_from == text;
  });
}

std::vector<StageStatus> stages_of(const FoundRun& run, const fs::path& work) {
  std::vector<StageStatus> instances;
  const bool described = run.description.has_value();
  const auto digests =
      described ? text_digests(work / run.description->text_shards, run.dataset) : std::map<std::string, std::string>();
  for (const FoundPhase& phase : run.phases) {
    // A finished one is done, whatever WORK holds.
    StageStatus stage = results_status(phase, parts_planned(run, phase), {});
    const bool is_whole = stage.state == StageState::kDone && manifest_state(phase, stage) == StageState::kDone;
    instances.push_back(is_whole ? std::move(stage) : results_status(phase, parts_planned(run, phase), digests));
  }
  StageStatus manifest = manifest_status(run, instances);
  const bool shards_are_done = std::all_of(instances.begin(), instances.end(),
                                           [](const StageStatus& stage) { return stage.state == StageState::kDone; });
  const bool any_shard =
      std::any_of(instances.begin(), instances.end(), [](const StageStatus& stage) { return stage.tasks_done != 0; });

  std::vector<StageStatus> stages;
  if (described) {
    const fs::path formatted = work / run.description->formatted;
    StageStatus format{.stage = "format"};
    StageStatus shard{.stage = "shard"};
    const bool is_own = !shards_are_done || has_text_of(run, work);
    if (is_own) format = status_of_task("format", formatted.parent_path(), formatted.filename().string());
    if (is_own && !run.description->text_shards.empty()) {
      shard = status_of_task("shard", work / run.description->text_shards, shard_task_name(run.dataset));
    }
    if (shard.tasks_planned == 0) shard.tasks_planned = run.description->shards();
    const bool shard_is_seen = shard.articles != 0;
    if (format.tasks_planned == 0) format.tasks_planned = 1;
    apply_report(run.report, format);
    apply_report(run.report, shard);
    // A run starts with the first stage to be done: existing shards show that earlier ones were done.
    imply_done(shard, shards_are_done || (any_shard && !shard_is_seen && shard.state == StageState::kNotStarted), work);
    imply_done(format, shard.state == StageState::kDone, work);
    stages.push_back(std::move(format));
    stages.push_back(std::move(shard));
  }
  for (StageStatus& stage : instances) {
    // One report applies to all phases; finished ones stay finished.
    if (!described) {
      apply_report_of_stage(run.report, stage);
    } else if (stage.state != StageState::kDone) {
      apply_report(run.report, stage);
    }
    stages.push_back(std::move(stage));
  }
  stages.push_back(std::move(manifest));
  return stages;
}

std::optional<StageStatus> fetch_status(const fs::path& work, const std::string& dataset) {
  const fs::path folder = work / "download" / dataset;
  const fs::path state = state_beside(folder);
  std::error_code error;
  if (!fs::is_directory(folder, error) && !fs::is_directory(state, error)) return std::nullopt;
  StageStatus stage{.stage = "fetch"};
  const auto count = [&](const fs::directory_entry& entry) {
    std::error_code ignored;
    if (entry.is_regular_file(ignored)) {
      ++stage.tasks_done;
      stage.bytes += entry.file_size(ignored);
    }
    return may_be_read(entry);
  };
  if (fs::is_directory(folder, error)) walk_folder(folder, count);
  std::uint64_t parts = 0;
  bool fresh = false;
  for (const auto& entry : list_folder_if_any(state)) {
    if (entry.path().extension() != ".part") continue;
    std::error_code ignored;
    ++parts;
    stage.bytes += entry.file_size(ignored);
    const auto age = fs::file_time_type::clock::now() - entry.last_write_time(ignored);
    fresh = fresh || age < std::chrono::seconds(30);
  }
  stage.state = parts == 0 && stage.tasks_done != 0 ? StageState::kDone
                : fresh                             ? StageState::kRunning
                                                    : StageState::kInterrupted;
  if (parts != 0) stage.remark = counted(parts, "file", "is", "are") + " still incomplete";
  return stage;
}

}  // namespace bertprep
