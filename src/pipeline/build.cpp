// All stages in order:
//
//   documents ─format─→ one article per line ─shard─→ text shards ─instances─→ shards of every phase
//                                                               ─sequences─→ a set of token sequences
#include "bertprep/pipeline/build.h"

#include <algorithm>
#include <array>

#include "base/stage_errors.h"
#include "bertprep/base/error.h"
#include "pipeline/records/damage.h"
#include "pipeline/records/edited_files.h"
#include "pipeline/records/input_guard.h"
#include "pipeline/records/manifest_of_folder.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/records/output_place.h"
#include "pipeline/records/owned_files.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/reject_file.h"
#include "pipeline/records/resumption.h"
#include "pipeline/records/run_expectation.h"
#include "pipeline/records/run_journal.h"
#include "pipeline/records/run_layout.h"
#include "pipeline/records/run_places.h"
#include "pipeline/records/saved_index.h"
#include "pipeline/run_goal.h"
#include "pipeline/sequences/sequences.h"
#include "pipeline/stages/automatic_shards.h"
#include "pipeline/stages/loaded_stages.h"
#include "pipeline/stages/template_report.h"
#include "pipeline/text_shards/article_lines.h"
#include "pipeline/text_shards/assignment_file.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr int kMoreTries = 2;

// The models of a run, loaded once, so that all stages use the same ones even if a file changes meanwhile.
struct RunModels {
  // Refuses invalid input before hours of work: options, vocabulary and sentence parameters.
  explicit RunModels(const PipelineOptions& options) {
    options.validate_all();
    splitter = options.as_is ? document_line_splitter() : make_sentence_splitter(options.sentences);
    goal = options.sequences == nullptr ? rows_goal(options, splitter) : sequences_goal(options, splitter);
  }

  std::shared_ptr<const SentenceSplitter> splitter;
  std::unique_ptr<const RunGoal> goal;
};

FormatTask format_task(std::vector<CorpusPart> parts, const RunLayout& layout, const PipelineOptions& options,
                       const RunModels& models) {
  return {.parts = std::move(parts),
          .file = layout.formatted,
          .keep_lines = holds_sentence_lines(options),
          .as_is = options.as_is,
          .splitter = models.splitter,
          .normalizer = options.normalizer,
          .is_intermediate = true};
}

StageReport found_report(const char* stage, const CompletionRecord& record, const fs::path& rejects = {}) {
  StageReport report{.stage = stage};
  report.tasks_found = record.outputs.size();
  report.articles = record.counts.at("articles").as_unsigned();
  report.sentences = record.counts.at("sentences").as_unsigned();
  take_rejects(record.counts, rejects, report);
  report.left_out = reasons_in(record.counts, kLeftOut);
  for (const OutputEntry& output : record.outputs) report.bytes_out += output.size_bytes;
  return report;
}

fs::path rejects_of_format(const RunLayout& layout) {
  const OutputFolder folder(layout.formatted.parent_path());
  return RejectFile::path_of(folder, layout.formatted.filename().string() + ".rejects.jsonl");
}

// The record of a task that has just been done.
CompletionRecord record_now(const OutputFolder& folder, const std::string& task) {
  auto record = folder.record(task);
  if (!record) throw IoError::from_errno("its record is gone", folder.path() / task, ENOENT);
  return std::move(*record);
}

BuildReport finish(std::vector<StageReport> stages, std::span<const CorpusPart> parts, const RunLayout& layout,
                   const PipelineOptions& options, const RunModels& models, Progress& progress) {
  FinishedText text{layout, options,
                    record_now(OutputFolder(layout.formatted.parent_path()), layout.formatted.filename().string()),
                    record_now(OutputFolder(layout.text_shards), shard_task_name(options.corpus.name))};
  for (const CorpusPart& part : parts)
    text.sources.insert(text.sources.end(), part.sources.begin(), part.sources.end());
  BuildReport report = models.goal->make(text, progress);
  remove_saved_index(layout.formatted);
  report.stages.insert(report.stages.begin(), stages.begin(), stages.end());
  return report;
}

// Shards the formatted file, whose record has the digest of its text.
StageReport shard_formatted(const RunLayout& layout, const PipelineOptions& options, const RunModels& models,
                            Progress& progress) {
  const OutputFolder folder(layout.formatted.parent_path());
  const std::string name = layout.formatted.filename().string();
  const std::string text_sha256 = record_now(folder, name).counts.at("text_sha256").text();
  models.goal->refuse_others(layout, options, text_sha256);
  const SavedIndex saved(folder, name, *models.splitter, holds_sentence_lines(options));
  ShardTask task{{layout.formatted}, options.corpus.name, layout.text_shards, text_digest(text_sha256)};
  task.is_intermediate = true;
  if (const auto index = saved.find(text_sha256)) task.index = *index;
  return shard_articles(task, options, *models.splitter, progress);
}

// Reports why a stage with an earlier result is done again.
void explain(const char* stage, const EarlierStage& earlier, Progress& progress) {
  if (earlier.record && !earlier.is_complete) {
    progress.note(std::string(stage) + ": repeated, because its result is gone");
  } else if (!earlier.record && earlier.why_not != "not done yet") {
    progress.note(std::string(stage) + ": done again, as " + earlier.why_not);
  }
}

// Default numbers of shards are known with the number of articles.
void resolve_shards(std::span<const CorpusPart> parts, std::uint64_t articles, const BuildFolders& folders,
                    const RunModels& models, RunLayout& layout, PipelineOptions& options) {
  if (options.sharding.is_resolved()) return;
  options = with_shards(std::move(options), articles);
  layout = layout_of(folders, options);
  refuse_run_over_input(parts, folders, layout, options);
  models.goal->refuse_others(layout, options, {});
  write_run_description(folders, describe_run(folders, options, models.goal->places(folders, options)));
}

void report_shards(const ShardingOptions& given, std::uint64_t articles, Progress& progress) {
  if (const std::string note = note_on_shards(given, articles); !note.empty()) progress.note(note);
}

// A source can be read only once, so damage is an error.
BuildReport build_whole(DocumentSource& source, const BuildFolders& folders, const PipelineOptions& given,
                        const RunModels& models, Progress& progress) {
  PipelineOptions options = given;
  RunLayout layout = layout_of(folders, options);
  std::vector<StageReport> stages;
  stages.push_back(format_articles(source, format_task({}, layout, options, models), options.work, progress));
  report_shards(given.sharding, stages.back().articles, progress);
  resolve_shards({}, stages.back().articles, folders, models, layout, options);
  stages.push_back(shard_formatted(layout, options, models, progress));
  BuildReport report = finish(std::move(stages), {}, layout, options, models, progress);
  remove_unkept(layout, {}, options);
  return report;
}

// The wiki articles in the format of the reference's extractor: only for users, as formatting reads the dumps.
std::optional<StageReport> extract_wikis(std::span<const CorpusPart> parts, const RunLayout& layout,
                                         const PipelineOptions& options, Progress& progress) {
  ExtractTask task{.dumps = {}, .folder = layout.extracted, .is_intermediate = true};
  for (const CorpusPart& part : parts) {
    if (resolve_format(part.inputs, part.source) != InputFormat::kMediawiki) continue;
    task.dumps.insert(task.dumps.end(), part.inputs.begin(), part.inputs.end());
    task.source = part.source;
    task.wiki = part.wiki;
    task.wiki.report.clear();  // formatting writes it
    task.wiki.as_is = false;
  }
  if (task.dumps.empty()) return std::nullopt;
  return extract_articles(task, options.work, progress);
}

// Announces stages before it is known which results exist.
void expect_all(std::span<const CorpusPart> parts, const RunLayout& layout, const PipelineOptions& options,
                Progress& progress) {
  const CorpusSize size = size_of_corpus(parts);
  std::vector<ExpectedSpan> stages = expected_stages(size, options);
  if (checks_input(layout, options)) stages.insert(stages.begin(), expected_check(size));
  progress.expect(stages);
}

// Examines the results of an earlier call. The formatted file gives the number of articles.
EarlierRun find_earlier_run(const FormatTask& format, const BuildFolders& folders, const RunModels& models,
                            RunLayout& layout, PipelineOptions& options, Progress& journal) {
  EarlierRun state;
  find_earlier_format(format, layout, options, journal, state);
  if (state.format.record) {
    state.lacks_report = !is_recorded_report(template_report_of(format.parts), state.format.record->counts);
    resolve_shards(format.parts, state.format.record->counts.at("articles").as_unsigned(), folders, models, layout,
                   options);
  }
  find_earlier_shards(layout, options, *models.splitter, state);
  if (state.shard.record && !damaged_assignments(OutputFolder(layout.text_shards).state_folder()).empty()) {
    state.shard = {};
    state.shard.why_not = "the record of its articles is damaged";
  }
  state.results_are_done =
      state.shard.record && models.goal->is_done({layout, options, *state.format.record, *state.shard.record});
  return state;
}

// A finished dataset would be refused after formatting, when its text were gone.
void refuse_replacing_text(const EarlierRun& state, const RunLayout& layout, const PipelineOptions& options) {
  if (state.text_of_other_input.empty() || options.work.force) return;
  std::vector<fs::path> results{layout.sequences};
  for (const InstancePhase& phase : layout.phases) results.push_back(phase.folder);
  for (const fs::path& folder : results) {
    if (folder.empty() || text_of_dataset(folder) != state.text_of_other_input) continue;
    throw FormatError("contains a finished dataset made from another input", folder,
                      "give this one another name with `name` or another folder, or replace it with `force`");
  }
}

BuildReport build_from(std::span<const CorpusPart> parts, const BuildFolders& folders, const PipelineOptions& given,
                       const RunModels& models, Progress& progress) {
  PipelineOptions options = given;
  RunLayout layout = layout_of(folders, options);
  FormatTask format = format_task({parts.begin(), parts.end()}, layout, options, models);
  expect_all(parts, layout, options, progress);
  const EarlierRun state = find_earlier_run(format, folders, models, layout, options, progress);
  format.input_digest = state.input.digest;
  format.input_bytes = state.input.bytes;
  progress.expect(expected_stages(parts, state, options));
  const bool needs_text_shards = !state.results_are_done && !state.shard.is_complete;
  std::vector<StageReport> stages;

  if (keeps(options.work, "extracted")) {
    if (auto extracted = extract_wikis(parts, layout, options, progress)) stages.push_back(std::move(*extracted));
  }
  if ((needs_text_shards && !state.format.is_complete) || state.lacks_report) {
    refuse_replacing_text(state, layout, options);
    if (state.lacks_report) progress.note("format: repeated, to count templates for `report`");
    if (!state.lacks_report) explain("format", state.format, progress);
    stages.push_back(format_articles(format, options.work, progress));
  } else {
    stages.push_back(found_report("format", *state.format.record, rejects_of_format(layout)));
  }
  if (needs_text_shards) {
    report_shards(given.sharding, stages.back().articles, progress);
    resolve_shards(parts, stages.back().articles, folders, models, layout, options);
    if (state.format.record) explain("shard", state.shard, progress);
    stages.push_back(shard_formatted(layout, options, models, progress));
  } else {
    stages.push_back(found_report("shard", *state.shard.record));
  }
  BuildReport report = finish(std::move(stages), parts, layout, options, models, progress);
  remove_unkept(layout, parts, options);
  return report;
}

// Withdraws damaged results of earlier calls, so that they are made again. False: there were none.
bool withdraw_damaged(const BuildFolders& folders, const PipelineOptions& options, Progress& progress) {
  const fs::path formatted = layout_of(folders, options).formatted;
  const auto record = OutputFolder(formatted.parent_path()).record(formatted.filename().string());
  bool found = false;
  const auto withdraw = [&](const fs::path& folder, const std::string& task) {
    keep_edited(OutputFolder(folder), task, progress);
    const auto damaged = withdraw_if_damaged(OutputFolder(folder), task);
    if (!damaged) return;
    progress.note((folder / *damaged).string() +
                  " is damaged: its bytes differ from those that were written; it is made again");
    found = true;
  };
  withdraw(formatted.parent_path(), formatted.filename().string());
  if (record) {
    const PipelineOptions settled = with_shards(options, record->counts.at("articles").as_unsigned());
    withdraw(layout_of(folders, settled).text_shards, shard_task_name(options.corpus.name));
  }
  return found;
}

// A damaged text shard may be remade from formatted text that is damaged, too. Vanished files were removed by another
// process of the same run, which has finished meanwhile: its results are found.
BuildReport build_whole(std::span<const CorpusPart> parts, const BuildFolders& folders, const PipelineOptions& options,
                        const RunModels& models, Progress& progress) {
  for (int tries = kMoreTries; tries > 0; --tries) {
    try {
      return build_from(parts, folders, options, models, progress);
    } catch (const DamageError&) {
      if (!withdraw_damaged(folders, options, progress)) throw;
    } catch (const IoError& error) {
      if (!error.is_missing()) throw;
    }
  }
  return build_from(parts, folders, options, models, progress);
}

std::span<const CorpusPart> parts_of(const DocumentSource& /*source*/) {
  return {};
}

std::span<const CorpusPart> parts_of(std::span<const CorpusPart> parts) {
  return parts;
}

// Does a run with its journal.
template <class Corpus>
BuildReport journaled_build(Corpus& corpus, const BuildFolders& folders, const PipelineOptions& options,
                            Progress& observer) {
  require_places(folders);
  const RunModels models(options);
  models.goal->refuse_others(layout_of(folders, options), options, {});
  const RunDescription run = describe_run(folders, options, models.goal->places(folders, options));
  for (const RunPhase& phase : run.phases) require_output_folder(folders.output / phase.folder);
  RunJournal journal(folders, run, observer);
  write_run_places(folders, run, parts_of(corpus), false);
  try {
    BuildReport report = build_whole(corpus, folders, options, models, journal);
    write_run_places(folders, run, parts_of(corpus), true);
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
  PipelineOptions resolved = options;
  resolved.as_is = keeps_text(options);
  resolved.sentences = resolve_sentences({}, options.sentences);
  return journaled_build(source, folders, resolved, progress);
} catch (...) {
  rethrow_as_error("a run");
}

BuildReport build(DocumentSource& source, const BuildFolders& folders, const PipelineOptions& options) {
  Progress silent;
  return build(source, folders, options, silent);
}

BuildReport build(std::span<const CorpusPart> corpus, const BuildFolders& folders, const PipelineOptions& given,
                  Progress& progress) try {
  given.validate_all();
  for (const CorpusPart& part : corpus) check_max_article(part.source.max_article, given.work.memory);
  PipelineOptions options = given;
  options.as_is = keeps_text(given);
  std::vector<CorpusPart> all(corpus.begin(), corpus.end());
  for (CorpusPart& part : all) {
    part.source.as_is = part.wiki.as_is = options.as_is;
    if (options.sequences != nullptr) part.source.line_breaks = LineBreaks::kSpace;
  }
  const std::span<const CorpusPart> parts = all;
  options.sentences = resolve_sentences(parts, given.sentences);
  refuse_run_over_input(parts, folders, layout_of(folders, options), options);
  const std::array results{folders.output, work_folder(folders)};
  check_template_report(template_report_of(parts), InputGuard(parts), results, options.work.force);
  return journaled_build(parts, folders, options, progress);
} catch (...) {
  rethrow_as_error("a run");
}

}  // namespace bertprep
