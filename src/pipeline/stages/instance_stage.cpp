// Instances: text shards -> HDF5 shards of every phase.
#include <algorithm>
#include <mutex>
#include <set>

#include "base/fields.h"
#include "base/number_text.h"
#include "base/stage_errors.h"
#include "bertprep/pipeline/stages.h"
#include "io/input_file.h"
#include "pipeline/records/announced_shards.h"
#include "pipeline/records/damage.h"
#include "pipeline/records/dataset_vocab.h"
#include "pipeline/records/output_place.h"
#include "pipeline/records/progress_journal.h"
#include "pipeline/records/recipe.h"
#include "pipeline/stages/loaded_stages.h"
#include "pipeline/stages/memory_plan.h"
#include "pipeline/stages/shard_task.h"
#include "pipeline/stages/unformatted_text.h"
#include "pipeline/work/serial_progress.h"
#include "pipeline/work/stage_clock.h"
#include "pipeline/work/workers.h"

namespace bertprep {
namespace {

constexpr const char* kInstances = "instances";

// Largest first, so that no thread ends alone with a large one.
std::vector<TextShard> by_size(const InstanceStep& task, bool force) {
  std::vector<TextShard> shards;
  RecordedTexts recorded;
  const std::uint64_t step = std::min<std::uint64_t>(task.share.count, task.text_shards.size());  // avoids overflow
  for (std::size_t i = task.share.task; i < task.text_shards.size(); i += step) {
    const std::filesystem::path& path = task.text_shards[i];
    if (task.known.empty()) {
      std::string sha256 = force ? "" : recorded.sha256(path);
      if (!force) refuse_no_text_shard(path, !sha256.empty());
      shards.push_back({.path = path, .recorded_sha256 = std::move(sha256), .bytes = InputFile(path).size_bytes()});
    } else {
      const auto& [bytes, sha256, xxh3] = task.known[i];
      shards.push_back({.path = path, .sha256 = sha256, .recorded_sha256 = sha256, .xxh3 = xxh3, .bytes = bytes});
    }
  }
  std::stable_sort(shards.begin(), shards.end(),
                   [](const TextShard& left, const TextShard& right) { return left.bytes > right.bytes; });
  return shards;
}

std::set<std::string> planned_files(std::span<const std::filesystem::path> text_shards) {
  std::set<std::string> names;
  for (const std::filesystem::path& path : text_shards) {
    if (!names.insert(path.stem().string() + ".hdf5").second) {
      throw ConfigError("two text shards are named '" + path.stem().string() + "'", path,
                        "their shards would overwrite each other; rename one");
    }
  }
  if (names.empty()) throw ConfigError("no text shard was given");
  return names;
}

std::vector<OpenPhase> open_phases(const InstanceStep& task, const PipelineOptions& options, const Vocab& vocab,
                                   Progress& progress) {
  const std::set<std::string> planned = planned_files(task.text_shards);
  const InputGuard guard(task.text_shards);
  const std::vector<std::string> names(planned.begin(), planned.end());
  for (const InstancePhase& phase : task.phases) guard.refuse_files(phase.folder, names);
  std::vector<OpenPhase> phases;
  for (const InstancePhase& phase : task.phases) {
    validate(phase.options);
    const Recipe recipe = instance_recipe(phase.options, options, vocab);
    refuse_other_dataset(phase.folder, recipe.json(), task.provenance, options.work);
    refuse_foreign_vocab(phase.folder, vocab.sha256(), options.work);
    if (task.share.count > 1) {
      phases.push_back({phase.options, OutputFolder::make_shared(phase.folder), recipe});
      refuse_foreign_shards(phases.back().folder, planned, options.work);
      announce_shards(phases.back().folder, task.name, planned);
      continue;
    }
    phases.push_back({phase.options, OutputFolder(phase.folder), recipe, {}, std::make_unique<RecordSums>()});
    refuse_foreign_shards(phases.back().folder, planned, options.work);
    if (task.whole_dataset) {
      phases.back().folder.reject_foreign_files(task.name, ".hdf5", planned, options.work.force);
    }
    refuse_other_recipes(phases.back().folder, phases.back().recipe.json(), planned);
    if (const std::size_t count = count_outdated(phases.back().folder, phases.back().recipe.json(), planned)) {
      progress.note(
          phase.folder.string() + ": " +
          counted(count, "shard", "was made with another recipe and is", "were made with another recipe and are") +
          " made again");
    }
  }
  return phases;
}

std::size_t plan_threads(std::span<const TextShard> shards, const InstanceStep& task, const WorkOptions& work) {
  std::uint64_t largest = 0;
  for (const InstancePhase& phase : task.phases) {
    largest = std::max(largest, shard_memory_bytes(shards.front().bytes, phase.options));
  }
  return threads_within(memory_bytes(work.memory), largest, resolve_threads(static_cast<std::size_t>(work.threads)));
}

std::vector<std::filesystem::path> states_of(std::span<const OpenPhase> phases) {
  std::vector<std::filesystem::path> states;
  for (const OpenPhase& phase : phases) states.push_back(phase.folder.state_folder());
  return states;
}

StageReport make_shards(std::span<const TextShard> shards, const std::vector<OpenPhase>& phases,
                        const InstanceStep& task, const PipelineOptions& options, const Vocab& vocab,
                        Progress& progress) {
  const std::size_t threads = plan_threads(shards, task, options.work);

  const Tokenizer tokenizer(vocab, options.tokenizer);
  ShardWorkers workers = shard_workers(vocab, tokenizer, options.tokenizer);
  CommitQueue commits;
  const ShardMaker maker(vocab, workers, options.layout, commits, options.work.force);
  ShardCounts total;
  std::mutex total_mutex;
  progress.begin(kInstances, shards.size(), "text shards");
  for_each_task(shards.size(), threads, progress, [&](std::size_t i) {
    const ShardCounts counts = maker.make(shards[i], phases, progress);
    const std::lock_guard lock(total_mutex);
    total += counts;
    progress.advance(1);
  });
  for_each_task(phases.size(), threads, progress, [&](std::size_t i) { commits.commit_all(phases[i].folder); });
  StageReport report = report_of(total);
  for (const OpenPhase& phase : phases) put_vocab(phase.folder, vocab, progress);
  std::vector<Manifest> manifests(phases.size());
  for_each_task(phases.size(), threads, progress, [&](std::size_t i) {
    if (task.share.count > 1) return;
    manifests[i] = merge_records(phases[i].folder, task.name, task.provenance, task.dropped, *phases[i].sums);
    manifests[i].sources = task.sources;
  });
  for (std::size_t i = 0; i < phases.size(); ++i) {
    if (task.share.count > 1) continue;
    publish_manifest(phases[i].folder, manifests[i]);
    report.data.push_back({phases[i].folder.path(), manifests[i].data, manifests[i].warnings});
  }
  progress.end();
  return report;
}

}  // namespace

StageReport make_instances(const InstanceTask& task, const PipelineOptions& options, Progress& progress) {
  return make_instances(InstanceStep{task}, options, progress);
}

StageReport make_instances(const InstanceStep& task, const PipelineOptions& options, Progress& progress) try {
  validate(options.tokenizer);
  require_fitting_case(options.vocabulary, options.tokenizer);
  return make_instances(task, options, load_vocab(options.vocabulary), progress);
} catch (...) {
  rethrow_as_error("making instances");
}

StageReport make_instances(const InstanceStep& task, const PipelineOptions& options, const Vocab& vocab,
                           Progress& observer) try {
  const StageClock clock;
  check_name(task.name);
  require_task(task.share.task, task.share.count);
  check_tokenizer(options.tokenizer);
  validate(options.layout);
  SerialProgress progress(observer);
  const std::vector<TextShard> shards = by_size(task, options.work.force);
  const std::vector<OpenPhase> phases = open_phases(task, options, vocab, progress);
  if (shards.empty()) {  // a task beyond the last text shard
    StageReport nothing = report_of({});
    clock.measure(nothing);
    return nothing;
  }
  for (const OpenPhase& phase : phases) {
    if (options.work.force) withdraw_manifest(phase.folder.path());
    withdraw_vocab(phase.folder.path(), vocab.sha256(), options.work);
  }
  const auto make = [&](Progress& journal) { return make_shards(shards, phases, task, options, vocab, journal); };
  StageReport report =
      task.share.count > 1 ? make(progress) : StageJournal::record(states_of(phases), kInstances, progress, make);
  clock.measure(report);
  return report;
} catch (...) {
  rethrow_as_error("making instances");
}

}  // namespace bertprep
