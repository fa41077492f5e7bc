#include "pipeline/earlier_run.h"

#include "bertprep/base/error.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/damage.h"
#include "pipeline/records/edited_files.h"
#include "pipeline/records/manifest_of_folder.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/records/owned_files.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/resumption.h"
#include "pipeline/records/run_expectation.h"
#include "pipeline/stages/automatic_shards.h"
#include "pipeline/stages/template_report.h"
#include "pipeline/text_shards/assignment_file.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

EarlierStage earlier_stage(const OutputFolder& folder, const std::string& task, const Recipe& recipe,
                           const std::string& input_digest) {
  EarlierStage stage;
  stage.record = folder.record(task);
  if (!stage.record) {
    stage.why_not = "not done yet";
    return stage;
  }
  const std::string key = recipe.key(input_digest);
  if (stage.record->key != key) {
    stage.why_not = difference(stage.record->recipe, recipe.json());
    stage.record.reset();
    return stage;
  }
  stage.is_complete = folder.finished(task, key).has_value();
  return stage;
}

void find_earlier_format(const RunPlan& plan, Progress& progress, EarlierRun& run) {
  const OutputFolder folder(plan.formatted_folder());
  const auto record = folder.record(plan.formatted_task());
  if (record) run.input = digest_files(files_of_corpus(plan.parts), progress);
  run.format =
      earlier_stage(folder, plan.formatted_task(), format_recipe(plan.format_task(), record), run.input.digest);
  if (!record || recipe_key(record->recipe, run.input.digest) == record->key) return;
  run.text_of_other_input = counts_of(*record).text_sha256;
}

EarlierStage find_earlier_shards(const RunPlan& plan, const std::string& text_sha256) {
  const OutputFolder folder(plan.layout.text_shards);
  EarlierStage stage =
      earlier_stage(folder, plan.shard_task(), shard_recipe(plan.options.corpus.name, plan.options, *plan.splitter),
                    text_digest(text_sha256));
  if (!stage.record || damaged_assignments(folder.state_folder()).empty()) return stage;
  stage = {};
  stage.why_not = "the record of its articles is damaged";
  return stage;
}

}  // namespace

EarlierRun find_earlier_run(RunPlan& plan, Progress& progress) {
  EarlierRun run;
  if (plan.options.work.force) {
    run.format.why_not = run.shard.why_not = "`force`";
    return run;
  }
  find_earlier_format(plan, progress, run);
  if (!run.format.record) {
    run.shard.why_not = "its input is made again";
    return run;
  }
  const StageCounts counts = counts_of(*run.format.record);
  run.lacks_report = !is_recorded_report(template_report_of(plan.parts), run.format.record->counts);
  plan = plan.with_articles(counts.articles);
  run.shard = find_earlier_shards(plan, counts.text_sha256);
  run.results_are_done = run.shard.record && plan.goal->is_done(plan, {*run.format.record, *run.shard.record});
  return run;
}

std::vector<ExpectedSpan> expected_stages(const RunPlan& plan) {
  const CorpusSize size = size_of_corpus(plan.parts);
  std::vector<ExpectedSpan> stages = expected_stages(size, plan.options);
  if (checks_input(plan.layout, plan.options)) stages.insert(stages.begin(), expected_check(size));
  return stages;
}

std::vector<ExpectedSpan> expected_stages(const RunPlan& plan, const EarlierRun& earlier) {
  const CorpusSize size = size_of_corpus(plan.parts);
  std::vector<ExpectedSpan> stages = expected_stages(size, plan.options);
  if (!earlier.needs_format()) stages[0].seconds = 0;
  if (!earlier.needs_text_shards()) stages[1].seconds = 0;
  if (earlier.results_are_done) stages[2].seconds = 0;
  if (plan.options.work.keep.extracted) {
    stages.insert(stages.begin(), {"extract", size.format_seconds});
    if (!earlier.input.digest.empty()) stages.insert(stages.begin(), expected_check(size));
  }
  return stages;
}

void refuse_replacing_text(const EarlierRun& earlier, const RunPlan& plan) {
  if (earlier.text_of_other_input.empty() || plan.options.work.force) return;
  std::vector<fs::path> results{plan.layout.sequences};
  for (const InstancePhase& phase : plan.layout.phases) results.push_back(phase.folder);
  for (const fs::path& folder : results) {
    if (folder.empty() || text_of_dataset(folder) != earlier.text_of_other_input) continue;
    throw FormatError("contains a finished dataset made from another input", folder,
                      "give this one another name with `name` or another folder, or replace it with `force`");
  }
}

bool withdraw_damaged(const RunPlan& plan, Progress& progress) {
  const auto record = OutputFolder(plan.formatted_folder()).record(plan.formatted_task());
  bool found = false;
  const auto withdraw = [&](const fs::path& folder, const std::string& task) {
    keep_edited(OutputFolder(folder), task, progress);
    const auto damaged = withdraw_if_damaged(OutputFolder(folder), task);
    if (!damaged) return;
    progress.note((folder / *damaged).string() +
                  " is damaged: its bytes differ from those that were written; it is made again");
    found = true;
  };
  withdraw(plan.formatted_folder(), plan.formatted_task());
  if (record) {
    const PipelineOptions settled = with_shards(plan.options, counts_of(*record).articles);
    withdraw(layout_of(plan.folders, settled).text_shards, plan.shard_task());
  }
  return found;
}

}  // namespace bertprep
