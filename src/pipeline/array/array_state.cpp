#include "pipeline/array/array_state.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/file_system.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "pipeline/array/array_extract.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/owned_files.h"
#include "shard/token_set.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 6> kNames = {"fetch", "format", "place", "shard", "instances", "finish"};

std::vector<fs::path> folders_of(const ArrayState& state, ArrayStage stage) {
  if (stage == ArrayStage::kFormat) return {state.layout.format};
  if (stage == ArrayStage::kPlace || stage == ArrayStage::kShard) return {state.layout.shard};
  return stage == ArrayStage::kInstances ? result_folders(state.run.layout) : std::vector<fs::path>();
}

// Recorded in the assignment, and in the formatted file of a finished job.
std::optional<std::uint64_t> count_articles(const ArrayState& state) {
  const auto record_of = [](const fs::path& path, const std::string& task) {
    const auto folder = OutputFolder::find_shared(path);
    return folder ? folder->record(task) : std::nullopt;
  };
  const auto record = state.is_finished
                          ? record_of(state.run.layout.formatted.parent_path(), state.run.layout.formatted.filename())
                          : record_of(state.layout.shard, kAssignmentTask);
  const auto key = [&] {
    return state.is_finished ? format_recipe(state.run.format_task(), record).key(input_digest_of(state))
                             : state.plan.shard_key;
  };
  if (!record || record->key != key()) return std::nullopt;
  return counts_of(*record).articles;
}

std::size_t count_of(const ArrayState& state, ArrayStage stage) {
  if (stage == ArrayStage::kFormat || stage == ArrayStage::kShard) return state.plan.pieces.size();
  return stage == ArrayStage::kInstances ? shard_count(state.run.options.sharding) : 1;
}

constexpr std::size_t kRequestDigits = 12;

constexpr std::chrono::seconds kInterval{10};
constexpr const char* kEnding = ".json";

std::string file_name(const ProgressReport& report) {
  std::string host = report.process.host;
  std::ranges::replace(host, '/', '-');
  return report.stage + "." + std::to_string(report.attempt->share.task) + "." + host + "." +
         std::to_string(report.process.pid) + "-" + std::to_string(report.process.start) + kEnding;
}

ProgressReport report_of(std::string_view stage, const ArrayAttempt& attempt) {
  ProgressReport report = ProgressReport::of_this_process(stage);
  report.attempt = attempt;
  return report;
}

}  // namespace

std::string_view name_of(ArrayStage stage) {
  return kNames[static_cast<std::size_t>(stage)];
}

ArrayStage array_stage(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) {
    throw ConfigError("`stage` '" + std::string(name) + "' is not a stage", {},
                      "the stages are fetch, format, place, shard, instances and finish, in this order");
  }
  return kArrayStages[found - kNames.begin()];
}

bool is_array(ArrayStage stage) {
  return stage == ArrayStage::kFormat || stage == ArrayStage::kShard || stage == ArrayStage::kInstances;
}

std::string input_digest_of(const ArrayState& state) {
  if (!state.plan.is_listed) return state.plan.input_digest;
  const auto bytes = read_file_if_any(state.layout.inputs);
  return bytes ? parse_sealed(*bytes, state.layout.inputs.string()).at("digest").text() : std::string();
}

std::vector<ManifestSource> sources_of(const ArrayState& state) {
  if (state.plan.is_listed) {
    return sources_in(parse_sealed(read_file(state.layout.inputs), state.layout.inputs.string()).at("sources"));
  }
  return state.run.sources();
}

void ArrayState::load_models() {
  run.load_models();
  plan.require_keys(run);
}

ArrayState open_array(const ArrayLayout& layout) {
  const ArrayPlan plan = load_plan(layout.plan);
  ArrayState state{.layout = layout, .plan = plan, .run = plan.run};
  const auto is_finished = [&] { return exists_now(layout.finished) && read_file(layout.finished) == plan.key(); };
  state.is_finished = is_finished();
  if (state.knows_shards()) return state;
  auto articles = count_articles(state);
  // Another attempt may finish the job, and remove the assignment, concurrently.
  if (!articles && !state.is_finished && (state.is_finished = is_finished())) articles = count_articles(state);
  if (articles) state.run = state.run.counted(*articles);
  return state;
}

StageUnits::StageUnits(const ArrayState& state, ArrayStage stage, bool is_read_only)
    : state_(state), stage_(stage), count_(count_of(state, stage)) {
  if (state.is_finished) return;
  for (const fs::path& folder : folders_of(state, stage)) {
    auto found = OutputFolder::find_shared(folder);
    if (!found) continue;
    if (is_read_only) found->set_read_only();
    folders_.push_back(std::move(*found));
  }
  if (stage == ArrayStage::kInstances && folders_.size() != result_folders(state.run.layout).size()) folders_.clear();
  if (stage == ArrayStage::kInstances && state.run.options.sequences != nullptr) {
    parts_ = sequence_parts(state.run.layout, state.run.options);
  }
}

std::string StageUnits::name(std::size_t unit) const {
  if (stage_ == ArrayStage::kInstances) return shard_name(state_.run.options, unit);
  if (stage_ == ArrayStage::kPlace) return kAssignmentTask;
  return is_array(stage_) ? ArrayPlan::piece_name(unit) : std::string(name_of(stage_));
}

bool StageUnits::is_done(std::size_t unit) const {
  if (state_.is_finished || stage_ == ArrayStage::kFetch) return true;
  if (folders_.empty()) return false;
  const std::string task = parts_.empty() ? name(unit) : parts_[unit];
  if (stage_ == ArrayStage::kFormat) {
    const auto made = folders_[0].finished(task, state_.plan.format_key);
    return made && (!keeps_docs(state_.plan, unit) || doc_counts_in(*made));
  }
  if (stage_ != ArrayStage::kInstances) return folders_[0].finished(task, state_.plan.shard_key).has_value();
  for (std::size_t phase = 0; phase < folders_.size(); ++phase) {
    if (!folders_[phase].finished_by_plan(task, state_.plan.instance_keys[phase])) return false;
  }
  return has_kept_text_shard(unit);
}

bool StageUnits::has_kept_text_shard(std::size_t shard) const {
  if (!state_.run.options.work.keep.sharded) return true;
  return exists_now(state_.run.layout.text_shards /
                    (shard_name(state_.run.options, shard) + text_shard_extension(state_.run.options)));
}

std::vector<std::size_t> StageUnits::missing() const {
  std::vector<std::size_t> units;
  for (std::size_t unit = 0; unit < count_; ++unit) {
    if (!is_done(unit)) units.push_back(unit);
  }
  return units;
}

void require_stage(const ArrayState& state, ArrayStage stage) {
  if (stage == ArrayStage::kInstances && !state.knows_shards()) require_stage(state, ArrayStage::kPlace);
  const StageUnits units(state, stage);
  const std::vector<std::size_t> missing = units.missing();
  if (missing.empty()) return;
  std::vector<std::string> names;
  for (const std::size_t unit : missing) names.push_back(units.name(unit));
  const std::string stage_name(name_of(stage));
  throw FormatError("the stage '" + stage_name +
                        "' is not done: " + counted_of(missing.size(), units.count(), "part", "is", "are") +
                        " missing: " + first_names(names),
                    state.layout.folder, "run `stage` " + stage_name + " again; 'bertprep retry-list' names the tasks");
}

fs::path array_folder(const fs::path& work) {
  return work / "array";
}

ArrayLayout array_layout(const fs::path& folder) {
  return {.folder = folder,
          .plan = folder / "plan.json",
          .finished = folder / "finished",
          .inputs = folder / "inputs.json",
          .attempts = folder / "attempts",
          .format = folder / "format",
          .shard = folder / "shard"};
}

ArrayLayout array_layout(const ArrayJob& job) {
  const fs::path root = fs::absolute(job.folders.output).lexically_normal();
  const std::string digest = sha256_of(job.request + "\n" + root.string());
  return array_layout(array_folder(work_folder(job.folders)) / (job.name + "-" + digest.substr(0, kRequestDigits)));
}

Attempt::Attempt(const fs::path& folder, std::string_view stage, const ArrayAttempt& attempt, Progress& observer)
    : ProgressJournal(report_of(stage, attempt), kInterval, observer) {
  add_file(folder / file_name(report_of(stage, attempt)), folder);
  write();
}

Attempt::~Attempt() {
  if (!has_failed_) remove_files();
}

void Attempt::fail(const std::string& error) {
  has_failed_ = true;
  write([&](ProgressReport& report) { report.error = error; });
}

std::vector<ProgressReport> read_attempts(const fs::path& folder) {
  std::vector<ProgressReport> reports;
  for (const auto& entry : list_folder_if_any(folder)) {
    if (entry.path().extension() != kEnding) continue;
    try {
      ProgressReport report = ProgressReport::from_json(read_json(entry.path()));
      if (report.attempt) reports.push_back(std::move(report));
    } catch (const Error&) {
      continue;  // removed just now
    }
  }
  return reports;
}

}  // namespace bertprep
