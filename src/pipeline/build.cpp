// All stages in order:
//
//   documents ─format─→ one article per line ─shard─→ text shards ─instances─→ shards of every phase
//                                                               ─sequences─→ a set of token sequences
#include "bertprep/pipeline/build.h"

#include <optional>
#include <string>
#include <vector>

#include "base/stage_errors.h"
#include "bertprep/base/error.h"
#include "bertprep/base/progress.h"
#include "pipeline/goal/run_plan.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/damage.h"
#include "pipeline/records/input_digest.h"
#include "pipeline/records/manifest_of_folder.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/records/output_place.h"
#include "pipeline/records/owned_files.h"
#include "pipeline/records/progress_journal.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/reject_file.h"
#include "pipeline/records/resumption.h"
#include "pipeline/records/run_description.h"
#include "pipeline/records/run_expectation.h"
#include "pipeline/records/saved_index.h"
#include "pipeline/stages/extract_stage.h"
#include "pipeline/stages/loaded_stages.h"
#include "pipeline/stages/template_report.h"
#include "pipeline/stages/unfinished_format.h"
#include "pipeline/text_shards/shard_assignment.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr int kMoreTries = 2;

// A finished stage of an earlier call with the same recipe and input.
struct EarlierStage {
  std::optional<CompletionRecord> record;
  bool is_complete = false;  // and its files have their recorded sizes
  std::string why_not;       // without a record: why the stage must be done
};

// What an earlier call of the same run has left, and what remains to be done.
struct EarlierRun {
  InputDigest input;  // if a record of the formatted file exists, without --force
  EarlierStage format;
  std::string text_of_other_input;  // the digest of the existing text, if it is one
  bool lacks_report = false;        // the templates' report asked for is not that of the formatted file
  EarlierStage shard;
  bool results_are_done = false;  // of the last stage

  bool needs_text_shards() const { return !results_are_done && !shard.is_complete; }
  bool needs_format() const { return lacks_report || (needs_text_shards() && !format.is_complete); }
};

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

// Hashes the inputs if there is a record for comparison. The formatted file gives the number of articles, which
// completes `plan`.
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

// The stages before it is known which results exist.
std::vector<ExpectedSpan> expected_stages(const RunPlan& plan) {
  const CorpusSize size = size_of_corpus(plan.parts);
  std::vector<ExpectedSpan> stages = expected_stages(size, plan.options);
  if (checks_input(plan.layout, plan.options)) stages.insert(stages.begin(), expected_check(size));
  return stages;
}

// And then: those found done take no time.
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

// Text of another input whose finished dataset would be refused after formatting, when its text were gone.
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

// Withdraws damaged results of earlier calls, so that they are made again. False: there were none.
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

fs::path rejects_of_format(const RunPlan& plan) {
  return RejectFile::path_of(OutputFolder(plan.formatted_folder()), plan.formatted_task() + ".rejects.jsonl");
}

// The record of a task that has just been done.
CompletionRecord record_now(const OutputFolder& folder, const std::string& task) {
  auto record = folder.record(task);
  if (!record) throw IoError::from_errno("its record is gone", folder.path() / task, ENOENT);
  return std::move(*record);
}

// Shards the formatted file, whose record has the digest of its text.
StageReport shard_formatted(const RunPlan& plan, Progress& progress) {
  const OutputFolder folder(plan.formatted_folder());
  const std::string text_sha256 = counts_of(record_now(folder, plan.formatted_task())).text_sha256;
  plan.goal->refuse_others(plan, text_sha256);
  const SavedIndex saved(folder, plan.formatted_task(), *plan.splitter, holds_sentence_lines(plan.options));
  ShardStep task{{{plan.layout.formatted}, plan.options.corpus.name, plan.layout.text_shards},
                 text_digest(text_sha256)};
  task.is_intermediate = true;
  if (const auto index = saved.find(text_sha256)) task.index = *index;
  return shard_articles(task, plan.options, *plan.splitter, progress);
}

// Reports why a stage with an earlier result is done again.
void explain(const char* stage, const EarlierStage& earlier, Progress& progress) {
  if (earlier.record && !earlier.is_complete) {
    progress.note(std::string(stage) + ": repeated, because its result is gone");
  } else if (!earlier.record && earlier.why_not != "not done yet") {
    progress.note(std::string(stage) + ": done again, as " + earlier.why_not);
  }
}

// `begun`: before the articles were counted.
void note_shards(const RunPlan& begun, std::uint64_t articles, Progress& progress) {
  const std::string note = note_on_shards(begun.options.sharding, articles);
  if (!note.empty()) progress.note(note);
}

// Makes the results of the text. `stages` are those done before.
BuildReport finish(const RunPlan& plan, std::vector<StageReport> stages, Progress& progress) {
  const FinishedText text{record_now(OutputFolder(plan.formatted_folder()), plan.formatted_task()),
                          record_now(OutputFolder(plan.layout.text_shards), plan.shard_task()), plan.sources()};
  BuildReport report = plan.goal->make(plan, text, progress);
  remove_saved_index(plan.layout.formatted);
  UnfinishedFormat::remove_leftovers(OutputFolder(plan.formatted_folder()), plan.formatted_task());
  report.stages.insert(report.stages.begin(), stages.begin(), stages.end());
  remove_unkept(plan.layout, plan.parts, plan.options);
  return report;
}

// A source can be read only once, so damage is an error.
BuildReport build_from_source(DocumentSource& source, const RunPlan& begun, Progress& progress) {
  std::vector<StageReport> stages;
  stages.push_back(format_articles(source, begun.format_task(), begun.options.work, progress));
  note_shards(begun, stages.back().articles, progress);
  const RunPlan plan = begun.with_articles(stages.back().articles);
  stages.push_back(shard_formatted(plan, progress));
  return finish(plan, std::move(stages), progress);
}

StageReport format_parts(const RunPlan& plan, const EarlierRun& earlier, Progress& progress) {
  refuse_replacing_text(earlier, plan);
  if (earlier.lacks_report) progress.note("format: repeated, to count templates for `report`");
  if (!earlier.lacks_report) explain("format", earlier.format, progress);
  FormatStep task = plan.format_task();
  task.input_digest = earlier.input.digest;
  task.input_bytes = earlier.input.bytes;
  return format_articles(task, plan.options.work, progress);
}

BuildReport build_from_parts(const RunPlan& begun, Progress& progress) {
  RunPlan plan = begun;
  progress.expect(expected_stages(plan));
  const EarlierRun earlier = find_earlier_run(plan, progress);
  progress.expect(expected_stages(plan, earlier));
  std::vector<StageReport> stages;

  if (plan.options.work.keep.extracted) {
    const auto task = extract_step(plan.parts, plan.layout.extracted);
    if (task) stages.push_back(extract_articles(*task, plan.options.work, progress));
  }
  stages.push_back(earlier.needs_format() ? format_parts(plan, earlier, progress)
                                          : found_report("format", *earlier.format.record, rejects_of_format(plan)));
  if (earlier.needs_text_shards()) {
    note_shards(begun, stages.back().articles, progress);
    plan = plan.with_articles(stages.back().articles);
    if (earlier.format.record) explain("shard", earlier.shard, progress);
    stages.push_back(shard_formatted(plan, progress));
  } else {
    stages.push_back(found_report("shard", *earlier.shard.record));
  }
  return finish(plan, std::move(stages), progress);
}

// A damaged text shard may be remade from formatted text that is damaged, too. Vanished files were removed by another
// process of the same run, which has finished meanwhile: its results are found.
BuildReport build_again_if_damaged(const RunPlan& plan, Progress& progress) {
  for (int tries = kMoreTries; tries > 0; --tries) {
    try {
      return build_from_parts(plan, progress);
    } catch (const DamageError&) {
      if (!withdraw_damaged(plan, progress)) throw;
    } catch (const IoError& error) {
      if (!error.is_missing()) throw;
    }
  }
  return build_from_parts(plan, progress);
}

// Without `source`, from the files of the plan.
BuildReport journaled_build(DocumentSource* source, const RunPlan& plan, Progress& observer) {
  const RunDescription run = plan.description();
  for (const RunPhase& phase : run.phases) require_output_folder(plan.folders.output / phase.folder);
  RunJournal journal(plan.folders, run, observer);
  write_run_places(plan.folders, run, plan.parts, false);
  try {
    BuildReport report =
        source != nullptr ? build_from_source(*source, plan, journal) : build_again_if_damaged(plan, journal);
    write_run_places(plan.folders, run, plan.parts, true);
    journal.finish();
    return report;
  } catch (const Cancelled&) {
    throw;
  } catch (const FormatError& error) {
    journal.withdraw();
    journal.fail(error.what());
    throw;
  } catch (const std::exception& error) {
    journal.fail(error.what());
    throw;
  }
}

}  // namespace

BuildReport build(DocumentSource& source, const BuildFolders& folders, const PipelineOptions& options,
                  Progress& progress) try {
  const RunPlan plan({}, folders, options);
  return journaled_build(&source, plan, progress);
} catch (...) {
  rethrow_as_error("a run");
}

BuildReport build(DocumentSource& source, const BuildFolders& folders, const PipelineOptions& options) {
  Progress silent;
  return build(source, folders, options, silent);
}

BuildReport build(std::span<const CorpusPart> parts, const BuildFolders& folders, const PipelineOptions& options,
                  Progress& progress) try {
  const RunPlan plan(parts, folders, options);
  return journaled_build(nullptr, plan, progress);
} catch (...) {
  rethrow_as_error("a run");
}

}  // namespace bertprep
