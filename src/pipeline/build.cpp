// All stages in order:
//
//   documents ─format─→ one article per line ─shard─→ text shards ─instances─→ shards of every phase
//                                                               ─sequences─→ a set of token sequences
#include "bertprep/pipeline/build.h"

#include "base/stage_errors.h"
#include "bertprep/base/error.h"
#include "pipeline/earlier_run.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/damage.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/records/output_place.h"
#include "pipeline/records/owned_files.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/reject_file.h"
#include "pipeline/records/run_description.h"
#include "pipeline/records/run_journal.h"
#include "pipeline/records/saved_index.h"
#include "pipeline/run_plan.h"
#include "pipeline/stages/automatic_shards.h"
#include "pipeline/stages/extracted_files.h"
#include "pipeline/stages/loaded_stages.h"
#include "pipeline/stages/unfinished_format.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr int kMoreTries = 2;

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
  return format_articles(task, plan.options.work, FormatRule(), progress);
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
  return journaled_build(&source, RunPlan({}, folders, options), progress);
} catch (...) {
  rethrow_as_error("a run");
}

BuildReport build(DocumentSource& source, const BuildFolders& folders, const PipelineOptions& options) {
  Progress silent;
  return build(source, folders, options, silent);
}

BuildReport build(std::span<const CorpusPart> parts, const BuildFolders& folders, const PipelineOptions& options,
                  Progress& progress) try {
  return journaled_build(nullptr, RunPlan(parts, folders, options), progress);
} catch (...) {
  rethrow_as_error("a run");
}

}  // namespace bertprep
