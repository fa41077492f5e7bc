#include "pipeline/run_goal.h"

#include <algorithm>
#include <set>
#include <utility>

#include "bertprep/base/error.h"
#include "bertprep/token/vocab.h"
#include "pipeline/records/dataset_vocab.h"
#include "pipeline/records/manifest_of_folder.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/reject_file.h"
#include "pipeline/records/resumption.h"
#include "pipeline/sequences/sequence_model.h"
#include "pipeline/stages/loaded_stages.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

class RowsGoal final : public RunGoal {
 public:
  RowsGoal(const PipelineOptions& options, std::shared_ptr<const SentenceSplitter> splitter)
      : vocab_(load_vocab(options.vocabulary)), splitter_(std::move(splitter)) {
    require_fitting_case(options.vocabulary, options.tokenizer, vocab_.sha256());
  }

  std::vector<RunPhase> places(const BuildFolders& folders, const PipelineOptions& options) const override {
    return describe_run(folders, options, vocab_).phases;
  }

  void refuse_others(const RunLayout& layout, const PipelineOptions& options,
                     const std::string& text_sha256) const override {
    if (options.sharding.is_resolved()) refuse_other_runs(layout, options);
    refuse_other_datasets(layout, options, text_sha256);
    for (const InstancePhase& phase : layout.phases) {
      refuse_foreign_vocab(phase.folder, vocab_.sha256(), options.work);
    }
  }

  bool is_done(const FinishedText& text) const override {
    return count_missing_shards(task_of(text), text.options, vocab_) == 0;
  }

  BuildReport make(const FinishedText& text, Progress& progress) const override {
    InstanceTask task = task_of(text);
    task.dropped = {reasons_in(text.format.counts, kRejectedByReason), reasons_in(text.format.counts, kLeftOut)};
    task.sources = text.sources;
    BuildReport report;
    report.stages.push_back(make_instances(task, text.options, vocab_, progress));
    report.rows = report.stages.back().rows;
    report.shards = report.stages.back().tasks_made + report.stages.back().tasks_found;
    for (const InstancePhase& phase : text.layout.phases) report.shard_folders.push_back(phase.folder);
    return report;
  }

 private:
  InstanceTask task_of(const FinishedText& text) const {
    return instance_task(text.layout, text.options, *splitter_, text.shard,
                         text.format.counts.at("text_sha256").text());
  }

  // Refuses shards of another run in this run's folders, which the instance stage would refuse after hours of work.
  static void refuse_other_runs(const RunLayout& layout, const PipelineOptions& options) {
    if (options.work.force) return;
    std::set<std::string> planned;
    for (const fs::path& path : text_shard_paths(layout.text_shards, options)) {
      planned.insert(path.stem().string() + ".hdf5");
    }
    for (const InstancePhase& phase : layout.phases) {
      if (!fs::is_directory(phase.folder)) continue;
      OutputFolder(phase.folder).reject_foreign_files(options.corpus.name, ".hdf5", planned, false);
    }
  }

  // Finished datasets of another recipe, as far as the recipe is known: before formatting, the text is unknown.
  void refuse_other_datasets(const RunLayout& layout, const PipelineOptions& options,
                             const std::string& text_sha256) const {
    const auto is_finished = [](const InstancePhase& phase) { return fs::exists(phase.folder / Manifest::kFileName); };
    if (std::ranges::none_of(layout.phases, is_finished)) return;
    const Provenance provenance = instance_task(layout, options, *splitter_, std::nullopt, text_sha256).provenance;
    for (const InstancePhase& phase : layout.phases) {
      refuse_other_dataset(phase.folder, instance_recipe(phase.options, options, vocab_).json(), provenance,
                           options.work);
    }
  }

  Vocab vocab_;
  std::shared_ptr<const SentenceSplitter> splitter_;
};

class SequencesGoal final : public RunGoal {
 public:
  SequencesGoal(const PipelineOptions& options, std::shared_ptr<const SentenceSplitter> splitter)
      : model_(begun_task(options), options), splitter_(std::move(splitter)) {
    if (model_.rule.options.source == SequenceSource::kArticles) return;
    throw ConfigError("a run has articles", {}, "leave out `rows`, or give plain text to 'bertprep sequences'");
  }

  std::vector<RunPhase> places(const BuildFolders& folders, const PipelineOptions& options) const override {
    const std::filesystem::path folder = layout_of(folders, options).sequences;
    return {{folder.lexically_relative(folders.output).generic_string(), model_.recipe.json()}};
  }

  void refuse_others(const RunLayout& layout, const PipelineOptions& options,
                     const std::string& /*text_sha256*/) const override {
    if (options.work.force) return;
    SequenceTask task = begun_task(options);
    task.folder = layout.sequences;
    // Without numbers of shards, there are no inputs yet.
    task.inputs = text_shard_paths(layout.text_shards, options);
    refuse_other_sequences(task, model_);
  }

  bool is_done(const FinishedText& text) const override { return are_sequences_done(task_of(text), model_); }

  BuildReport make(const FinishedText& text, Progress& progress) const override {
    SequenceTask task = task_of(text);
    task.dropped = {reasons_in(text.format.counts, kRejectedByReason), reasons_in(text.format.counts, kLeftOut)};
    task.sources = text.sources;
    BuildReport report;
    report.stages.push_back(make_sequences(task, model_, text.options, progress).stage);
    report.rows = report.stages.back().rows;
    report.shards = report.stages.back().tasks_made + report.stages.back().tasks_found;
    report.shard_folders.push_back(text.layout.sequences);
    return report;
  }

 private:
  static SequenceTask begun_task(const PipelineOptions& options) {
    return {.inputs = {},
            .source = {.format = InputFormat::kJsonl, .html = HtmlHandling::kKeep},
            .name = options.corpus.name,
            .folder = {},
            .options = options.sequences->options,
            .encoder = options.sequences->encoder};
  }

  // The text shards and how they were made are those of a run that makes rows.
  SequenceTask task_of(const FinishedText& text) const {
    InstanceTask rows =
        instance_task(text.layout, text.options, *splitter_, text.shard, text.format.counts.at("text_sha256").text());
    SequenceTask task = begun_task(text.options);
    task.inputs = std::move(rows.text_shards);
    task.known = std::move(rows.known);
    task.provenance = std::move(rows.provenance);
    // Documents were not split for their text shards.
    if (text.options.as_is) std::erase_if(task.provenance, [](const auto& one) { return one.first == "sentences"; });
    task.folder = text.layout.sequences;
    return task;
  }

  SequenceModel model_;
  std::shared_ptr<const SentenceSplitter> splitter_;
};

}  // namespace

std::unique_ptr<RunGoal> rows_goal(const PipelineOptions& options, std::shared_ptr<const SentenceSplitter> splitter) {
  return std::make_unique<RowsGoal>(options, std::move(splitter));
}

std::unique_ptr<RunGoal> sequences_goal(const PipelineOptions& options,
                                        std::shared_ptr<const SentenceSplitter> splitter) {
  return std::make_unique<SequencesGoal>(options, std::move(splitter));
}

}  // namespace bertprep
