// Sharding: formatted articles -> text shards.
#include <numeric>

#include "base/fields.h"
#include "base/stage_errors.h"
#include "bertprep/pipeline/stages.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/damage.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/records/output_place.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/resumption.h"
#include "pipeline/records/run_layout.h"
#include "pipeline/stages/loaded_stages.h"
#include "pipeline/stages/origins_file.h"
#include "pipeline/stages/unformatted_text.h"
#include "pipeline/text_shards/article_lines.h"
#include "pipeline/text_shards/formatted_text.h"
#include "pipeline/text_shards/sentence_index.h"
#include "pipeline/text_shards/shard_assignment.h"
#include "pipeline/text_shards/write_text_shards.h"
#include "pipeline/work/serial_progress.h"
#include "pipeline/work/stage_clock.h"
#include "pipeline/work/workers.h"

namespace bertprep {
namespace {

constexpr const char* kShard = "shard";

std::vector<std::string> shard_names(const std::string& dataset, const PipelineOptions& options) {
  const auto train = static_cast<std::size_t>(options.sharding.train_shards);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < shard_count(options.sharding); ++i) {
    names.push_back((i < train ? training_name(dataset, i) : test_name(dataset, i - train)) +
                    text_shard_extension(options));
  }
  return names;
}

// The text read must match the records of other commands about the inputs.
void require_as_recorded(const ShardStep& task, const SplitTexts& split) {
  if (!task.text_sha256.empty() && task.text_sha256 != split.text_sha256) {
    throw FormatError("its bytes differ from those that were written", task.inputs.front());
  }
  RecordedTexts recorded;
  for (std::size_t i = 0; i < task.inputs.size(); ++i) {
    require_recorded(task.inputs[i], recorded.sha256(task.inputs[i]), split.file_sha256[i]);
  }
}

// Writes `index`, unless there is the task's, and adds the sizes of articles; `text_bytes` are those split now.
SplitTexts split_corpus(const ShardStep& task, const PipelineOptions& options, const SentenceSplitter& splitter,
                        const std::filesystem::path& index, Progress& progress) {
  if (!task.index.empty()) {
    SplitTexts known;
    known.sizes = sizes_of_index(task.index);
    known.text_sha256 = task.text_sha256;
    known.file_articles = {known.sizes.sentences.size()};
    return known;
  }
  // Splitting takes about as long as writing the text shards.
  progress.expect({{{"sentences", 1}, {"text shards", 1}}});
  SplitTexts split = split_texts({task.inputs, holds_sentence_lines(options),
                                  size_in_bytes(max_article_within(options.work.memory), "max-article")},
                                 splitter, index, static_cast<std::size_t>(options.work.threads), progress);
  if (!options.work.force) require_as_recorded(task, split);
  return split;
}

OutputEntry describe(const PendingFile& pending) {
  InputFile file(pending.path());
  Sha256 sha256;
  Xxh3 xxh3;
  const ReadBuffer buffer;
  while (const std::size_t count = file.read(buffer.span())) {
    const std::string_view bytes = buffer.first(count);
    sha256.update(bytes);
    xxh3.update(bytes);
  }
  return {pending.final_path().filename().string(), file.size_bytes(), sha256.finish(), {}, xxh3.finish()};
}

// Hashes the finished text shards, which still have unfinished names.
std::vector<OutputEntry> describe_all(std::span<PendingFile> files, std::size_t threads, Progress& progress) {
  std::vector<OutputEntry> entries(files.size());
  for (const PendingFile& file : files) file.start_sync();
  for_each_task(files.size(), threads, progress, [&](std::size_t i) {
    files[i].sync();
    entries[i] = describe(files[i]);
  });
  return entries;
}

// Places and writes everything; adds outputs and counts to `record`. No text shard gets its name until all are
// complete, so that a folder never mixes two assignments.
void write_all(const ShardStep& task, const PipelineOptions& options, const std::filesystem::path& index,
               SplitTexts split, const OutputFolder& folder, Progress& progress, CompletionRecord& record) {
  const auto threads = static_cast<std::size_t>(options.work.threads);
  const std::size_t articles = split.sizes.sentences.size();
  const ShardAssignment shards = place_articles(weights_of(split.sizes, options.as_is), options.sharding);
  const ArticlePlaces places = places_of(shards, std::move(split.sizes.bytes));

  std::vector<PendingFile> files;
  std::vector<std::filesystem::path> paths;
  for (const std::string& name : shard_names(task.name, options)) {
    paths.push_back(files.emplace_back(folder.begin(name)).path());
  }
  write_text_shards({task.inputs, index, split.text_sha256}, places, paths, threads, progress);
  record.outputs = describe_all(files, threads, progress);
  PendingFile assignment = folder.begin_state(article_places_name(task.name));
  write_assignment(assignment.path(), places, std::array{std::uint64_t{0}, std::uint64_t{articles}});
  folder.begin_task(shard_task_name(task.name), record);
  assignment.publish();
  for (PendingFile& file : files) file.publish();
  std::vector<TextSource> sources;
  for (std::size_t i = 0; i < task.inputs.size(); ++i) sources.push_back({task.inputs[i], split.file_articles[i]});
  record.counts.add("articles", Json::number(articles))
      .add("sentences", Json::number(options.as_is ? 0 : split.sizes.total_sentences))
      .add(kTextSources, json_of(sources, task.folder));
}

void refuse_other_runs(const ShardStep& task, const PipelineOptions& options, const OutputFolder& folder) {
  const std::vector<std::string> names = shard_names(task.name, options);
  InputGuard(task.inputs).refuse_files(task.folder, names);
  if (!options.work.force) folder.refuse_foreign(shard_task_name(task.name), names);
  folder.reject_foreign_files(task.name, text_shard_extension(options), {names.begin(), names.end()},
                              options.work.force);
}

// Without an earlier record, the inputs are hashed while they are split. For the same text, the record has the number
// of articles.
std::optional<CompletionRecord> find_finished(const ShardStep& task, const PipelineOptions& options,
                                              const SentenceSplitter& splitter, const OutputFolder& folder) {
  const std::string task_name = shard_task_name(task.name);
  const auto earlier = options.work.force ? std::nullopt : folder.record(task_name);
  if (!earlier) return std::nullopt;
  const auto threads = static_cast<std::size_t>(options.work.threads);
  const std::string sha256 =
      task.text_sha256.empty() ? digest_text(task.inputs, task_runner(threads)) : task.text_sha256;
  const PipelineOptions settled = with_shards(options, counts_of(*earlier).articles);
  const Recipe recipe = shard_recipe(task.name, settled, splitter);
  const std::string key = recipe.key(sha256);
  auto found = folder.finished(task_name, key);
  if (found && !damaged_assignments(folder.state_folder()).empty()) return std::nullopt;
  if (!found && !task.is_intermediate) refuse_other_result(folder, task_name, recipe, key);
  return found;
}

StageReport make_text_shards(const ShardStep& task, const PipelineOptions& options, const SentenceSplitter& splitter,
                             const OutputFolder& folder, Progress& progress) {
  const PendingFile index_file = folder.begin_state(task.name + ".sentences");
  SplitTexts split = split_corpus(task, options, splitter, index_file.path(), progress);
  const std::filesystem::path& index = task.index.empty() ? index_file.path() : task.index;
  const std::uint64_t articles = split.sizes.sentences.size();
  const std::uint64_t bytes_split = split.text_bytes;
  const PipelineOptions settled = with_shards(options, articles);
  if (const std::string note = note_on_shards(options.sharding, articles); !note.empty()) progress.note(note);
  const std::uint64_t text_bytes =
      std::accumulate(split.sizes.bytes.begin(), split.sizes.bytes.end(), std::uint64_t{0});
  const std::string note = options.as_is ? "" : note_on_sentences(split.sizes.sentences, text_bytes);
  if (!note.empty()) progress.note(note);
  refuse_other_runs(task, settled, folder);

  const Recipe recipe = shard_recipe(task.name, settled, splitter);
  CompletionRecord record{.key = recipe.key(split.text_sha256), .outputs = {}, .recipe = recipe.json()};
  write_all(task, settled, index, std::move(split), folder, progress, record);
  folder.write_record(shard_task_name(task.name), record);
  StageReport report = found_report(kShard, record);
  report.tasks_found = 0;
  report.tasks_made = record.outputs.size();
  report.bytes_in = bytes_split != 0 ? bytes_split : report.bytes_out;
  return report;
}

}  // namespace

StageReport shard_articles(const ShardTask& task, const PipelineOptions& options, Progress& progress) try {
  const auto splitter = options.as_is ? document_line_splitter() : make_sentence_splitter(options.sentences);
  return shard_articles(ShardStep{task}, options, *splitter, progress);
} catch (...) {
  rethrow_as_error("sharding");
}

StageReport shard_articles(const ShardStep& task, const PipelineOptions& options, const SentenceSplitter& splitter,
                           Progress& observer) try {
  const StageClock clock;
  check_name(task.name);
  validate(options.sharding);
  refuse_origins(task.inputs);
  if (!options.work.force && task.text_sha256.empty()) refuse_unformatted(task.inputs);
  SerialProgress progress(observer);
  // Refuses unreadable inputs before making a folder.
  for (const std::filesystem::path& input : task.inputs) InputFile{input};
  // Before anything is made. Text shards may be in the folder to which others are written.
  if (options.sharding.is_resolved()) {
    InputGuard(task.inputs).refuse_files(task.folder, shard_names(task.name, options));
  }
  const OutputFolder folder(task.folder);
  if (options.sharding.is_resolved()) refuse_other_runs(task, options, folder);
  if (const auto record = find_finished(task, options, splitter, folder)) {
    StageReport report = found_report(kShard, *record);
    clock.measure(report);
    return report;
  }

  if (!options.work.force) keep_edited(folder, shard_task_name(task.name), progress);
  StageReport report;
  try {
    report = make_text_shards(task, options, splitter, folder, progress);
  } catch (const FormatError& error) {
    // Of a formatted file whose text the caller knows, unreadable text is damage.
    if (task.text_sha256.empty()) throw;
    throw DamageError(error.what());
  }
  clock.measure(report);
  return report;
} catch (...) {
  rethrow_as_error("sharding");
}

}  // namespace bertprep
