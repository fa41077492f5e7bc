#include "pipeline/run_goal.h"

#include <algorithm>
#include <set>
#include <utility>

#include "bertprep/base/error.h"
#include "bertprep/token/vocab.h"
#include "pipeline/records/dataset_vocab.h"
#include "pipeline/records/manifest_of_folder.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/resumption.h"
#include "pipeline/records/stage_counts.h"
#include "pipeline/sequences/sequence_model.h"
#include "pipeline/stages/loaded_stages.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// The text shards of a run as the instance stage takes them.
InstanceTask rows_task(const RunPlan& plan, const FinishedText& text) {
  return instance_task(plan.layout, plan.options, *plan.splitter, text.shard, counts_of(text.format).text_sha256);
}

class RowsGoal final : public RunGoal {
 public:
  explicit RowsGoal(const PipelineOptions& options) : vocab_(load_vocab(options.vocabulary)) {
    require_fitting_case(options.vocabulary, options.tokenizer, vocab_.sha256());
  }

  std::vector<RunPhase> places(const RunPlan& plan) const override {
    return describe_run(plan.folders, plan.options, vocab_).phases;
  }

  void refuse_others(const RunPlan& plan, const std::string& text_sha256) const override {
    if (plan.options.sharding.is_resolved()) refuse_other_runs(plan);
    refuse_other_datasets(plan, text_sha256);
    for (const InstancePhase& phase : plan.layout.phases) {
      refuse_foreign_vocab(phase.folder, vocab_.sha256(), plan.options.work);
    }
  }

  bool is_done(const RunPlan& plan, const FinishedText& text) const override {
    return count_missing_shards(rows_task(plan, text), plan.options, vocab_) == 0;
  }

  BuildReport make(const RunPlan& plan, const FinishedText& text, Progress& progress) const override {
    InstanceTask task = rows_task(plan, text);
    task.dropped = counts_of(text.format).dropped;
    task.sources = plan.sources();
    BuildReport report;
    report.stages.push_back(make_instances(task, plan.options, vocab_, progress));
    report.rows = report.stages.back().rows;
    report.shards = report.stages.back().tasks_made + report.stages.back().tasks_found;
    for (const InstancePhase& phase : plan.layout.phases) report.shard_folders.push_back(phase.folder);
    return report;
  }

 private:
  // Refuses shards of another run in this run's folders, which the instance stage would refuse after hours of work.
  static void refuse_other_runs(const RunPlan& plan) {
    if (plan.options.work.force) return;
    std::set<std::string> planned;
    for (const fs::path& path : text_shard_paths(plan.layout.text_shards, plan.options)) {
      planned.insert(path.stem().string() + ".hdf5");
    }
    for (const InstancePhase& phase : plan.layout.phases) {
      if (!fs::is_directory(phase.folder)) continue;
      OutputFolder(phase.folder).reject_foreign_files(plan.options.corpus.name, ".hdf5", planned, false);
    }
  }

  // Finished datasets of another recipe, as far as the recipe is known: before formatting, the text is unknown.
  void refuse_other_datasets(const RunPlan& plan, const std::string& text_sha256) const {
    const auto is_finished = [](const InstancePhase& phase) { return fs::exists(phase.folder / Manifest::kFileName); };
    if (std::ranges::none_of(plan.layout.phases, is_finished)) return;
    const Provenance provenance =
        instance_task(plan.layout, plan.options, *plan.splitter, std::nullopt, text_sha256).provenance;
    for (const InstancePhase& phase : plan.layout.phases) {
      refuse_other_dataset(phase.folder, instance_recipe(phase.options, plan.options, vocab_).json(), provenance,
                           plan.options.work);
    }
  }

  Vocab vocab_;
};

class SequencesGoal final : public RunGoal {
 public:
  explicit SequencesGoal(const PipelineOptions& options) : model_(begun_sequences(options), options) {
    if (model_.rule.options.source == SequenceSource::kArticles) return;
    throw ConfigError("a run has articles", {}, "leave out `rows`, or give plain text to 'bertprep sequences'");
  }

  std::vector<RunPhase> places(const RunPlan& plan) const override {
    const fs::path folder = plan.layout.sequences.lexically_relative(plan.folders.output);
    return {{folder.generic_string(), model_.recipe.json()}};
  }

  void refuse_others(const RunPlan& plan, const std::string& /*text_sha256*/) const override {
    if (plan.options.work.force) return;
    SequenceTask task = begun_sequences(plan.options);
    task.folder = plan.layout.sequences;
    // Without numbers of shards, there are no inputs yet.
    task.inputs = text_shard_paths(plan.layout.text_shards, plan.options);
    refuse_other_sequences(task, model_);
  }

  bool is_done(const RunPlan& plan, const FinishedText& text) const override {
    return are_sequences_done(sequence_task(plan, text), model_);
  }

  BuildReport make(const RunPlan& plan, const FinishedText& text, Progress& progress) const override {
    SequenceTask task = sequence_task(plan, text);
    task.dropped = counts_of(text.format).dropped;
    task.sources = plan.sources();
    BuildReport report;
    report.stages.push_back(make_sequences(task, model_, plan.options, progress).stage);
    report.rows = report.stages.back().rows;
    report.shards = report.stages.back().tasks_made + report.stages.back().tasks_found;
    report.shard_folders.push_back(plan.layout.sequences);
    return report;
  }

 private:
  static SequenceTask sequence_task(const RunPlan& plan, const FinishedText& text) {
    return sequences_of_run(plan.layout, plan.options, rows_task(plan, text));
  }

  SequenceModel model_;
};

}  // namespace

std::unique_ptr<RunGoal> make_run_goal(const PipelineOptions& options) {
  if (options.sequences != nullptr) return std::make_unique<SequencesGoal>(options);
  return std::make_unique<RowsGoal>(options);
}

}  // namespace bertprep
