// Array jobs: making the plan, and all folders into which tasks write.
#include <algorithm>
#include <array>
#include <set>

#include "base/fields.h"
#include "base/stage_errors.h"
#include "bertprep/base/error.h"
#include "bertprep/shard/manifest.h"
#include "io/digest.h"
#include "io/file_system.h"
#include "io/input_file.h"
#include "io/json.h"
#include "pipeline/array/array_job.h"
#include "pipeline/array/array_work.h"
#include "pipeline/records/announced_shards.h"
#include "pipeline/records/dataset_vocab.h"
#include "pipeline/records/input_digest.h"
#include "pipeline/records/input_guard.h"
#include "pipeline/records/manifest_of_folder.h"
#include "pipeline/records/owned_files.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/run_journal.h"
#include "pipeline/records/run_places.h"
#include "pipeline/records/text_claim.h"
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

ArrayPlan make_plan(const ArrayJob& job, std::span<const CorpusPart> parts, const PipelineOptions& options,
                    std::uint64_t piece_bytes, Progress& progress) {
  ArrayPlan plan;
  plan.output = fs::absolute(job.folders.output).lexically_normal();
  plan.parts.assign(parts.begin(), parts.end());
  for (CorpusPart& part : plan.parts) {
    refuse_pipes(part.inputs);
    validate(part.source);
    check(part.wiki);
    part.source.format = resolve_format(part.inputs, part.source);
    keep_documents(options, part);
  }
  plan.options = options;
  plan.options.as_is = keeps_text(options);
  plan.options.sentences = resolve_sentences(plan.parts, options.sentences);
  plan.is_listed = std::ranges::any_of(parts, [](const CorpusPart& part) { return !part.unfetched.empty(); });
  if (plan.is_listed) {
    progress.begin("fetch", 0, "bytes");
    list_pieces(parts, piece_bytes, plan);
    derive_keys(plan);
    return plan;
  }
  progress.expect({{{"check", 1}, {"fetch", 1}}});
  LineMarks marks;
  const InputDigest inputs = digest_files(files_of_corpus(plan.parts), progress, &marks);
  progress.begin("fetch", 0, "bytes");
  plan.pieces =
      split_into_pieces(plan.parts, piece_bytes, task_runner(static_cast<std::size_t>(options.work.threads)), marks);
  plan.input_digest = inputs.digest;
  plan.input_bytes = inputs.bytes;
  derive_keys(plan);
  return plan;
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
void refuse_foreign_text(const ArrayPlan& plan, const RunLayout& run, bool force, const Progress& progress) {
  const std::string formatted = run.formatted.filename().string();
  const OutputFolder format = OutputFolder::make_shared(run.formatted.parent_path());
  if (!force) format.refuse_foreign(formatted, std::array{formatted, origins_name(formatted)});
  TextClaim(format, run.formatted, plan.parts, format.record(formatted), plan.input_digest, force, progress);
}

void remove_results(const PipelineOptions& options, const RunLayout& run) {
  std::set<std::string> planned;  // empty before the articles are counted: all are removed
  for (const fs::path& path : text_shard_paths(run.text_shards, options)) {
    planned.insert(path.stem().string() + ".hdf5");
  }
  if (options.sequences != nullptr) return remove_sequences(OutputFolder::make_shared(run.sequences));
  for (const InstancePhase& phase : run.phases) {
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
  for (const fs::path& folder : result_folders(state.run)) announce_job(OutputFolder::make_shared(folder), job);
  OutputFolder::make_shared(state.layout.format);
  OutputFolder::make_shared(state.layout.shard);
  fs::create_directories(state.layout.attempts);
  make_text_shard_folder(state);
}

bool is_set_whole(const OutputFolder& folder) {
  return std::ranges::all_of(folder.recorded_tasks(), [&](const std::string& task) {
    const auto record = folder.record(task);
    return record && folder.finished(task, record->key);
  });
}

// Whether a finished job's shards and manifests still exist.
bool is_complete(const ArrayState& state) {
  if (!state.is_finished || !state.knows_shards()) return false;
  const auto formatted = OutputFolder::shared(state.run.formatted.parent_path()).record(state.run.formatted.filename());
  if (!formatted || !is_recorded_report(template_report_of(state.plan.parts), formatted->counts)) return false;
  for (const fs::path& folder : result_folders(state.run)) {
    if (!exists_now(folder / Manifest::kFileName)) return false;
  }
  if (state.options.sequences != nullptr) return is_set_whole(OutputFolder::shared(state.run.sequences));
  ArrayState looked = state;
  looked.is_finished = false;
  return StageUnits(looked, ArrayStage::kInstances).missing().empty();
}

// An existing plan with the same bytes is kept: a task may be reading it.
void publish_plan(const ArrayPlan& plan, const ArrayLayout& layout) {
  const std::string bytes = seal(plan.to_json());
  if (!exists_now(layout.plan) || read_file(layout.plan) != bytes) publish_bytes(layout.plan, layout.attempts, bytes);
}

}  // namespace

void check_array(const PipelineOptions& options) {
  if (options.normalizer != nullptr || options.sentences.custom != nullptr || options.tokenizer.custom != nullptr) {
    throw ConfigError("an array job can't use a custom text normalizer, sentence splitter or tokenizer", {},
                      "its tasks read all options from a file; use build()");
  }
  if (!keeps(options.work, "extracted")) return;
  throw ConfigError("`keep` extracted does not work with an array job", {},
                    "make the extracted files with 'bertprep extract'");
}

void refuse_foreign_texts(const PipelineOptions& options, const RunLayout& run) {
  if (!options.sharding.is_resolved() || !keeps(options.work, "sharded")) return;
  std::vector<std::string> names;
  for (const fs::path& path : text_shard_paths(run.text_shards, options)) names.push_back(path.filename().string());
  OutputFolder::make_shared(run.text_shards).refuse_foreign(shard_task_name(options.corpus.name), names);
}

void make_text_shard_folder(const ArrayState& state) {
  if (!state.knows_shards() || !keeps(state.options.work, "sharded")) return;
  OutputFolder::make_shared(state.run.text_shards).begin_task(shard_task_name(state.options.corpus.name));
}

StageReport plan_array(const ArrayJob& job, std::span<const CorpusPart> parts, const PipelineOptions& options,
                       std::uint64_t piece_bytes, Progress& progress) try {
  const StageClock clock;
  options.validate_all();
  check_array(options);
  for (const CorpusPart& part : parts) check_max_article(part.source.max_article, options.work.memory);
  require_places(job.folders);
  refuse_run_over_input(parts, job.folders, layout_of(job.folders, options), options);
  const std::array results{job.folders.output, work_folder(job.folders)};
  check_template_report(template_report_of(parts), InputGuard(parts), results, options.work.force);
  const ArrayPlan plan = make_plan(job, parts, options, piece_bytes, progress);
  if (!plan.is_listed) report_left_out(plan.parts, progress);
  const ArrayLayout layout = array_layout(job);
  const RunLayout run = layout_of(job.folders, plan.options);
  const RunShape shape{job.folders, plan.options, run, plan.splitter};
  plan.goal->refuse_others(shape, {});
  if (!options.work.force) refuse_foreign_texts(plan.options, run);
  refuse_foreign_text(plan, run, options.work.force, progress);
  for (const InstancePhase& phase : run.phases) {
    withdraw_vocab(phase.folder, plan.goal->rows()->sha256(), options.work);
  }
  if (options.work.force) {
    remove_results(plan.options, run);
    remove_intermediate_data(layout);
  }
  fs::create_directories(layout.attempts);
  publish_plan(plan, layout);
  const RunDescription description = plan.goal->description(shape);
  RunJournal(job.folders, description, progress).finish();
  write_run_places(job.folders, description, plan.parts, true);
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

}  // namespace bertprep
