#include <utility>

#include "bertprep/base/error.h"
#include "pipeline/records/reject_file.h"
#include "pipeline/records/resumption.h"
#include "pipeline/run_goal.h"
#include "pipeline/sequences/sequence_model.h"

namespace bertprep {
namespace {

class SequencesGoal final : public RunGoal {
 public:
  SequencesGoal(const PipelineOptions& options, std::shared_ptr<const SentenceSplitter> splitter)
      : model_(begun_task(options), options), splitter_(std::move(splitter)) {
    if (model_.rule.options.source == SequenceSource::kArticles) return;
    throw ConfigError("a run has articles", {}, "leave out --rows, or give plain text to 'bertprep sequences'");
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
    task.folder = text.layout.sequences;
    return task;
  }

  SequenceModel model_;
  std::shared_ptr<const SentenceSplitter> splitter_;
};

}  // namespace

std::unique_ptr<RunGoal> sequences_goal(const PipelineOptions& options,
                                        std::shared_ptr<const SentenceSplitter> splitter) {
  return std::make_unique<SequencesGoal>(options, std::move(splitter));
}

}  // namespace bertprep
