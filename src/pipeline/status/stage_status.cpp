#include "pipeline/records/completion_record.h"
#include "pipeline/status/found_runs.h"

#include <algorithm>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "bertprep/shard/manifest.h"
#include "io/folder.h"
#include "io/json.h"
#include "io/state_folder.h"
#include "pipeline/records/manifest_of_folder.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/record_reader.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

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
