#include "pipeline/goal/run_goal.h"

#include <algorithm>
#include <set>
#include <utility>

#include "bertprep/base/error.h"
#include "bertprep/token/vocab.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/dataset_vocab.h"
#include "pipeline/records/manifest_of_folder.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/resumption.h"
#include "pipeline/sequences/sequence_model.h"
#include "pipeline/stages/loaded_stages.h"
#include "pipeline/text_shards/article_lines.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// The text shards of a run as the instance stage takes them.
InstanceStep rows_task(const RunShape& run, const FinishedText& text) {
  InstanceStep task =
      instance_step(run.layout, run.options, *run.splitter, text.shard, counts_of(text.format).text_sha256);
  task.dropped = counts_of(text.format).dropped;
  task.sources = text.sources;
  return task;
}

BuildReport report_of(StageReport stage, const RunLayout& layout) {
  BuildReport report;
  report.rows = stage.rows;
  report.shards = stage.tasks_made + stage.tasks_found;
  report.stages.push_back(std::move(stage));
  report.shard_folders = result_folders(layout);
  return report;
}

class RowsGoal final : public RunGoal {
 public:
  explicit RowsGoal(const PipelineOptions& options) : vocab_(load_vocab(options.vocabulary)) {
    require_fitting_case(options.vocabulary, options.tokenizer, vocab_.sha256());
  }

  const Vocab* rows() const override { return &vocab_; }

  std::vector<Recipe> recipes(const PipelineOptions& options) const override {
    std::vector<Recipe> recipes;
    for (const InstanceOptions& phase : options.phases()) recipes.push_back(instance_recipe(phase, options, vocab_));
    return recipes;
  }

  void refuse_others(const RunShape& run, const std::string& text_sha256) const override {
    if (run.options.sharding.is_resolved()) refuse_other_shards(run);
    refuse_other_datasets(run, text_sha256);
    for (const InstancePhase& phase : run.layout.phases) {
      refuse_foreign_vocab(phase.folder, vocab_.sha256(), run.options.work);
    }
  }

  bool is_done(const RunShape& run, const FinishedText& text) const override {
    return count_missing_shards(rows_task(run, text), run.options, vocab_) == 0;
  }

  BuildReport make(const RunShape& run, const FinishedText& text, Progress& progress) const override {
    return report_of(make_instances(rows_task(run, text), run.options, vocab_, progress), run.layout);
  }

 private:
  // Shards of another run in this run's folders, which the instance stage would refuse after hours of work.
  static void refuse_other_shards(const RunShape& run) {
    if (run.options.work.force) return;
    std::set<std::string> planned;
    for (const fs::path& path : text_shard_paths(run.layout.text_shards, run.options)) {
      planned.insert(path.stem().string() + ".hdf5");
    }
    for (const InstancePhase& phase : run.layout.phases) {
      const auto folder = OutputFolder::find_shared(phase.folder);
      if (!folder) continue;
      folder->reject_foreign_files(run.options.corpus.name, ".hdf5", planned, false);
      refuse_foreign_shards(*folder, planned, run.options.work);
    }
  }

  // Finished datasets of another recipe, as far as the recipe is known: before formatting, the text is unknown.
  void refuse_other_datasets(const RunShape& run, const std::string& text_sha256) const {
    const auto is_finished = [](const InstancePhase& phase) { return fs::exists(phase.folder / Manifest::kFileName); };
    if (std::ranges::none_of(run.layout.phases, is_finished)) return;
    const Provenance provenance =
        instance_step(run.layout, run.options, *run.splitter, std::nullopt, text_sha256).provenance;
    const std::vector<Recipe> all = recipes(run.options);
    for (std::size_t i = 0; i < all.size(); ++i) {
      refuse_other_dataset(run.layout.phases[i].folder, all[i].json(), provenance, run.options.work);
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

  const SequenceModel* sequences() const override { return &model_; }

  std::vector<Recipe> recipes(const PipelineOptions& /*options*/) const override { return {model_.recipe}; }

  void refuse_others(const RunShape& run, const std::string& text_sha256) const override {
    if (run.options.work.force) return;
    SequenceTask task = begun_sequences(run.options);
    task.folder = run.layout.sequences;
    // Without numbers of shards, there are no inputs yet.
    task.inputs = text_shard_paths(run.layout.text_shards, run.options);
    refuse_other_sequences(task, model_);
    const auto before = text_sha256.empty() ? std::nullopt : text_of_dataset(task.folder);
    if (!before || *before == text_sha256) return;
    throw FormatError("contains a finished dataset made from another input", task.folder,
                      "give this one another name with `name` or another folder, or replace it with `force`");
  }

  bool is_done(const RunShape& run, const FinishedText& text) const override {
    return are_sequences_done(sequence_task(run, text), model_);
  }

  BuildReport make(const RunShape& run, const FinishedText& text, Progress& progress) const override {
    return report_of(make_sequences(sequence_task(run, text), model_, run.options, progress).stage, run.layout);
  }

 private:
  static SequenceTask sequence_task(const RunShape& run, const FinishedText& text) {
    return sequences_of_run(run.layout, run.options, rows_task(run, text));
  }

  SequenceModel model_;
};

}  // namespace

RunDescription RunGoal::description(const RunShape& run) const {
  const auto below = [](const fs::path& path, const fs::path& folder) {
    return path.empty() ? std::string() : path.lexically_relative(folder).generic_string();
  };
  RunDescription made{.dataset = run.options.corpus.name,
                      .formatted = below(run.layout.formatted, run.layout.work),
                      .text_shards = below(run.layout.text_shards, run.layout.work),
                      .train_shards = static_cast<std::uint64_t>(run.options.sharding.train_shards),
                      .test_shards = static_cast<std::uint64_t>(run.options.sharding.test_shards)};
  const std::vector<Recipe> all = recipes(run.options);
  const std::vector<fs::path> folders = result_folders(run.layout);
  for (std::size_t i = 0; i < folders.size(); ++i) {
    made.phases.push_back({below(folders[i], run.folders.output), all[i].json()});
  }
  return made;
}

std::shared_ptr<const SentenceSplitter> make_run_splitter(const PipelineOptions& options) {
  return options.as_is ? document_line_splitter() : make_sentence_splitter(options.sentences);
}

std::unique_ptr<RunGoal> make_run_goal(const PipelineOptions& options) {
  if (options.sequences != nullptr) return std::make_unique<SequencesGoal>(options);
  return std::make_unique<RowsGoal>(options);
}

}  // namespace bertprep
