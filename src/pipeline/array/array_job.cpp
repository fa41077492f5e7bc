#include "pipeline/array/array_job.h"

#include <algorithm>
#include <array>
#include <set>
#include <system_error>

#include "base/number_text.h"
#include "base/stage_errors.h"
#include "bertprep/base/error.h"
#include "bertprep/shard/manifest.h"
#include "io/digest.h"
#include "io/file_system.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "io/json.h"
#include "io/state_folder.h"
#include "pipeline/array/array_state.h"
#include "pipeline/array/array_work.h"
#include "pipeline/records/announced_shards.h"
#include "pipeline/records/dataset_vocab.h"
#include "pipeline/records/input_digest.h"
#include "pipeline/records/manifest_of_folder.h"
#include "pipeline/records/output_place.h"
#include "pipeline/records/owned_files.h"
#include "pipeline/records/progress_journal.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/resumption.h"
#include "pipeline/records/run_description.h"
#include "pipeline/sequences/sequences.h"
#include "pipeline/stages/extract_stage.h"
#include "pipeline/stages/origins_file.h"
#include "pipeline/stages/template_report.h"
#include "pipeline/work/stage_clock.h"
#include "pipeline/work/workers.h"
#include "source/source_pieces.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// Of whole files: where one can be cut is known once it is here.
void list_pieces(std::span<const CorpusPart> parts, std::uint64_t piece_bytes, ArrayPlan& plan) {
  std::string listed;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (const ManifestSource& source : parts[i].sources) listed += source.address + "\n";
    for (const UnfetchedFile& file : parts[i].unfetched) {
      listed += file.file.string() + " " + std::to_string(file.bytes) + "\n";
      plan.input_bytes += file.bytes;
      const bool fits = !plan.pieces.empty() && plan.pieces.back().part == i &&
                        plan.pieces.back().input.input == file.input &&
                        plan.pieces.back().input.bytes + file.bytes <= piece_bytes;
      if (!fits) plan.pieces.push_back({i, {.input = file.input, .files = {}}});
      plan.pieces.back().input.files.push_back(file.file);
      plan.pieces.back().input.bytes += file.bytes;
    }
  }
  plan.input_digest = sha256_of(listed);
}

ArrayPlan make_plan(RunPlan run, std::uint64_t piece_bytes, Progress& progress) {
  ArrayPlan plan(std::move(run));
  const std::vector<CorpusPart>& parts = plan.run.parts;
  plan.is_listed = std::ranges::any_of(parts, [](const CorpusPart& part) { return !part.unfetched.empty(); });
  if (plan.is_listed) {
    progress.begin("fetch", 0, "bytes");
    list_pieces(parts, piece_bytes, plan);
    plan.derive_keys();
    return plan;
  }
  progress.expect({{{"check", 1}, {"fetch", 1}}});
  LineMarks marks;
  const InputDigest inputs = digest_files(files_of_corpus(parts), progress, &marks);
  progress.begin("fetch", 0, "bytes");
  const TaskRunner runner = task_runner(static_cast<std::size_t>(plan.run.options.work.threads));
  plan.pieces = split_into_pieces(parts, piece_bytes, runner, marks);
  plan.input_digest = inputs.digest;
  plan.input_bytes = inputs.bytes;
  plan.derive_keys();
  return plan;
}

// Of an input that is there for every task.
std::vector<CorpusPart> checked_parts(std::span<const CorpusPart> given) {
  std::vector<CorpusPart> parts(given.begin(), given.end());
  for (CorpusPart& part : parts) {
    refuse_pipes(part.inputs);
    validate(part.source);
    check(part.wiki);
    part.source.format = resolve_format(part.inputs, part.source);
  }
  return parts;
}

// Tasks report only skipped members of archives.
void report_left_out(std::span<const CorpusPart> parts, Progress& progress) {
  for (const CorpusPart& part : parts) {
    for (const Input& input : list_source(part.inputs, part.source.format, part.source)) {
      for (const RecordRemark& remark : input.left_out) progress.remarked(remark);
    }
  }
}

// At the path of the job's formatted file in WORK.
void refuse_foreign_text(const ArrayPlan& plan, const Progress& progress) {
  const RunPlan& run = plan.run;
  const bool force = run.options.work.force;
  const std::string formatted = run.formatted_task();
  const OutputFolder format = OutputFolder::make_shared(run.formatted_folder());
  if (!force) format.refuse_foreign(formatted, std::array{formatted, origins_name(formatted)});
  TextClaim(format, run.layout.formatted, run.parts, format.record(formatted), plan.input_digest, force, progress);
}

// In the folder of the job's extracted articles, whose tasks can't replace them.
void claim_docs(const RunPlan& run) {
  const bool force = run.options.work.force;
  if (!run.options.work.keep.extracted || !extract_step(run.parts, run.layout.extracted)) return;
  const OutputFolder folder = OutputFolder::make_shared(run.layout.extracted);
  claim_extracted(folder, force);
  if (force) folder.remove_record(kExtractTask);
}

void remove_results(const RunPlan& run) {
  const PipelineOptions& options = run.options;
  std::set<std::string> planned;  // empty before the articles are counted: all are removed
  for (const fs::path& path : text_shard_paths(run.layout.text_shards, options)) {
    planned.insert(path.stem().string() + ".hdf5");
  }
  if (options.sequences != nullptr) return remove_sequences(OutputFolder::make_shared(run.layout.sequences));
  for (const InstancePhase& phase : run.layout.phases) {
    const OutputFolder folder = OutputFolder::make_shared(phase.folder);
    folder.reject_foreign_files(options.corpus.name, ".hdf5", planned, true);
    withdraw_manifest(phase.folder);
    for (std::size_t shard = 0; shard < shard_count(options.sharding); ++shard) {
      const std::string name = shard_name(options, shard);
      fs::remove(folder.path() / (name + ".hdf5"));
      folder.remove_record(name);
    }
  }
}

// Tasks of an array make no folders themselves, so that a late one makes no new ones.
void make_folders(const ArrayState& state) {
  const fs::path job = fs::absolute(state.layout.folder).lexically_normal();
  for (const fs::path& folder : result_folders(state.run.layout)) announce_job(OutputFolder::make_shared(folder), job);
  OutputFolder::make_shared(state.layout.format);
  OutputFolder::make_shared(state.layout.shard);
  fs::create_directories(state.layout.attempts);
  make_text_shard_folder(state.run);
}

bool is_set_whole(const OutputFolder& folder) {
  return std::ranges::all_of(folder.recorded_tasks(), [&](const std::string& task) {
    const auto record = folder.record(task);
    return record && folder.finished(task, record->key);
  });
}

bool are_docs_done(const ArrayState& state) {
  if (!state.run.options.work.keep.extracted) return true;
  if (!extract_step(state.run.parts, state.run.layout.extracted)) return true;
  const auto folder = OutputFolder::find_shared(state.run.layout.extracted);
  const auto record = folder ? folder->record(kExtractTask) : std::nullopt;
  return record && folder->finished(kExtractTask, record->key);
}

// Whether a finished job's shards and manifests still exist.
bool is_complete(const ArrayState& state) {
  if (!state.is_finished || !state.knows_shards()) return false;
  const auto formatted =
      OutputFolder::shared(state.run.layout.formatted.parent_path()).record(state.run.layout.formatted.filename());
  if (!formatted || !is_recorded_report(template_report_of(state.run.parts), formatted->counts)) return false;
  if (!are_docs_done(state)) return false;
  for (const fs::path& folder : result_folders(state.run.layout)) {
    if (!exists_now(folder / Manifest::kFileName)) return false;
  }
  if (state.run.options.sequences != nullptr) return is_set_whole(OutputFolder::shared(state.run.layout.sequences));
  ArrayState looked = state;
  looked.is_finished = false;
  return StageUnits(looked, ArrayStage::kInstances).missing().empty();
}

// An existing plan with the same bytes is kept: a task may be reading it.
void publish_plan(const ArrayPlan& plan, const ArrayLayout& layout) {
  const std::string bytes = seal(plan.to_json());
  if (!exists_now(layout.plan) || read_file(layout.plan) != bytes) publish_bytes(layout.plan, layout.attempts, bytes);
}

void fetch_inputs_of(const ArrayJob& job, const ArrayState& state, std::span<const std::size_t> pieces,
                     Progress& progress) {
  std::vector<fs::path> files;
  for (const std::size_t piece : pieces) {
    const auto& own = state.plan.pieces[piece].input.files;
    files.insert(files.end(), own.begin(), own.end());
  }
  if (!job.fetch) {
    throw ConfigError("the tasks of this job fetch their files, and this one can't", {},
                      "run it with 'bertprep run', or plan it with local inputs");
  }
  job.fetch(files, progress);
}

StageReport do_units(const ArrayJob& job, ArrayState& state, ArrayStage stage, std::span<const std::size_t> units,
                     Progress& progress) {
  if (stage == ArrayStage::kFormat && state.plan.is_listed) fetch_inputs_of(job, state, units, progress);
  if (stage != ArrayStage::kShard) state.load_models();
  switch (stage) {
    case ArrayStage::kFormat:
      return format_pieces(state, units, progress);
    case ArrayStage::kPlace:
      return place_pieces(state, progress);
    case ArrayStage::kShard:
      return bundle_pieces(state, units, progress);
    case ArrayStage::kInstances:
      if (state.run.options.sequences != nullptr) return make_array_sequences(state, units, progress);
      return make_array_shards(state, units, progress);
    case ArrayStage::kFinish:
    case ArrayStage::kFetch:  // refused by check_share()
      break;
  }
  return finish_array(state, progress);
}

// The share's unfinished units; `found` is set to the number of finished ones.
std::vector<std::size_t> units_to_do(const ArrayState& state, ArrayStage stage, const ArrayShare& share,
                                     std::size_t& found) {
  const StageUnits units(state, stage);
  std::vector<std::size_t> missing;
  const std::uint64_t step = std::min<std::uint64_t>(share.count, units.count());  // avoids overflow
  for (std::size_t unit = share.task; unit < units.count(); unit += step) {
    if (units.is_done(unit)) {
      ++found;
    } else {
      missing.push_back(unit);
    }
  }
  return missing;
}

// Files that an attempt needs vanish if another one has finished the job meanwhile.
bool is_finished_now(const ArrayLayout& layout) {
  try {
    return open_array(layout).is_finished;
  } catch (const std::exception&) {
    return false;  // report the original error
  }
}

void check_share(ArrayStage stage, const ArrayShare& share) {
  if (stage == ArrayStage::kFetch) {
    throw ConfigError("the stage 'fetch' is not a task number", {}, "it makes the plan: plan_array()");
  }
  require_task(share.task, share.count);
  if (!is_array(stage) && share.task != 0) {
    throw ConfigError("the stage '" + std::string(name_of(stage)) + "' is one task, not an array", {},
                      "run it once, not in an array");
  }
}

// ROOT/hdf5_.../NAME is two folders down; one more for a folder of several roots.
constexpr int kDeepest = 3;

DatasetReport finish_announced(const OutputFolder& folder, const Announcement& announced) {
  std::vector<std::string> missing;
  for (const std::string& file : announced.shards) {
    const auto record = folder.record(fs::path(file).stem().string());
    if (!record || !folder.finished(fs::path(file).stem().string(), record->key)) missing.push_back(file);
  }
  if (!missing.empty()) {
    throw FormatError(
        counted_of(missing.size(), announced.shards.size(), "shard", "is", "are") + " missing: " + first_names(missing),
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
    ArrayState state = open_array(layout);
    if (!state.is_finished) {
      state.load_models();
      finished = finish_array(state, progress).data;
    }
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

void check_array(const PipelineOptions& options) {
  if (options.normalizer != nullptr || options.sentences.custom != nullptr || options.tokenizer.custom != nullptr) {
    throw ConfigError("an array job can't use a custom text normalizer, sentence splitter or tokenizer", {},
                      "its tasks read all options from a file; use build()");
  }
}

void refuse_foreign_texts(const RunPlan& run) {
  if (run.layout.text_shards.empty() || !run.options.work.keep.sharded) return;
  std::vector<std::string> names;
  for (const fs::path& path : text_shard_paths(run.layout.text_shards, run.options)) {
    names.push_back(path.filename().string());
  }
  OutputFolder::make_shared(run.layout.text_shards).refuse_foreign(run.shard_task(), names);
}

void make_text_shard_folder(const RunPlan& run) {
  if (run.layout.text_shards.empty() || !run.options.work.keep.sharded) return;
  OutputFolder::make_shared(run.layout.text_shards).begin_task(run.shard_task());
}

StageReport plan_array(const ArrayJob& job, std::span<const CorpusPart> parts, const PipelineOptions& options,
                       std::uint64_t piece_bytes, Progress& progress) try {
  const StageClock clock;
  check_array(options);
  const std::vector<CorpusPart> checked = checked_parts(parts);
  const ArrayPlan plan = make_plan(RunPlan(checked, job.folders, options), piece_bytes, progress);
  const RunPlan& run = plan.run;
  if (!plan.is_listed) report_left_out(run.parts, progress);
  const ArrayLayout layout = array_layout(job);
  if (!options.work.force) refuse_foreign_texts(run);
  refuse_foreign_text(plan, progress);
  claim_docs(run);
  for (const InstancePhase& phase : run.layout.phases) {
    withdraw_vocab(phase.folder, run.goal->rows()->sha256(), options.work);
  }
  if (options.work.force) {
    remove_results(run);
    remove_intermediate_data(layout);
  }
  fs::create_directories(layout.attempts);
  publish_plan(plan, layout);
  const RunDescription description = run.description();
  RunJournal(job.folders, description, progress).finish();
  write_run_places(job.folders, description, run.parts, true);
  const ArrayState state = open_array(layout);
  if (options.work.force || !is_complete(state)) {
    fs::remove(layout.finished);
    make_folders(state);
  }
  StageReport report{.stage = "fetch", .tasks_made = plan.pieces.size()};
  report.bytes_in = plan.input_bytes;
  clock.measure(report);
  progress.end();
  return report;
} catch (...) {
  rethrow_as_error("planning an array job");
}

StageReport run_array_task(const ArrayJob& job, ArrayStage stage, const ArrayShare& share, const WorkOptions& work,
                           const AttemptOrigin& origin, Progress& observer) try {
  const StageClock clock;
  check_share(stage, share);
  ArrayState state = open_array(array_layout(job));
  state.run.options.work.threads = work.threads;
  state.run.options.work.memory = work.memory;
  // Its units are unknown until the articles are placed.
  if (stage == ArrayStage::kInstances && !state.knows_shards()) require_stage(state, ArrayStage::kPlace);
  std::size_t found = 0;
  const std::vector<std::size_t> units = units_to_do(state, stage, share, found);
  StageReport report{.stage = std::string(name_of(stage))};
  if (!units.empty()) {
    Attempt attempt(state.layout.attempts, report.stage, {share, origin}, observer);
    try {
      report = do_units(job, state, stage, units, attempt);
    } catch (const Cancelled& cancelled) {
      attempt.fail(cancelled.what());
      throw;
    } catch (const std::exception& error) {
      // finish_array() itself detects work of other attempts; its other errors must be reported.
      if (stage != ArrayStage::kFinish && is_finished_now(state.layout)) {
        found += units.size();
      } else {
        attempt.fail(error.what());
        throw;
      }
    }
  } else if (state.is_finished && stage == ArrayStage::kFinish) {
    clean_up(state);
  }
  report.tasks_found += found;
  clock.measure(report);
  return report;
} catch (...) {
  rethrow_as_error("a task of an array job");
}

std::vector<std::uint64_t> unfinished_tasks(const ArrayJob& job, ArrayStage stage, std::uint64_t count) {
  if (count == 0) throw ConfigError("an array has at least one task");
  const ArrayState state = open_array(array_layout(job));
  std::set<std::uint64_t> tasks;
  if (stage == ArrayStage::kInstances && !state.is_finished && !state.knows_shards()) {
    for (std::uint64_t task = 0; task < count; ++task) tasks.insert(task);
  }
  for (const std::size_t unit : StageUnits(state, stage).missing()) tasks.insert(unit % count);
  return {tasks.begin(), tasks.end()};
}

std::optional<ArrayStage> unfinished_stage(const ArrayJob& job) {
  const ArrayState state = open_array(array_layout(job));
  if (state.is_finished) return std::nullopt;
  for (const ArrayStage stage : kArrayStages) {
    const bool is_left = stage == ArrayStage::kFinish ||
                         (stage != ArrayStage::kFetch && !StageUnits(state, stage, true).missing().empty());
    if (is_left) return stage;
  }
  return std::nullopt;
}

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
