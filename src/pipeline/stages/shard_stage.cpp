// Sharding: formatted articles -> text shards.
#include <array>
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
  const std::string extension = text_shard_extension(options);
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < options.sharding.train_shards; ++i) {
    names.push_back(training_name(dataset, static_cast<std::size_t>(i)) + extension);
  }
  for (std::int64_t i = 0; i < options.sharding.test_shards; ++i) {
    names.push_back(test_name(dataset, static_cast<std::size_t>(i)) + extension);
  }
  return names;
}

// Checked before anything is made. Text shards may be in the folder to which others are written.
void refuse_inputs_among(const ShardStep& task, std::span<const std::string> names) {
  InputGuard(task.inputs).refuse_files(task.folder, names);
}

// The positions of sentences in the inputs, and the sizes of articles.
struct SplitCorpus {
  std::filesystem::path index;
  ArticleSizes sizes;
  std::uint64_t bytes = 0;  // of text split now
  std::string text_sha256;
  std::vector<std::uint64_t> file_articles;
};

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

SplitCorpus split_corpus(const ShardStep& task, const PipelineOptions& options, const SentenceSplitter& splitter,
                         const PendingFile& index_file, Progress& progress) {
  if (!task.index.empty()) {
    ArticleSizes sizes = sizes_of_index(task.index);
    const std::uint64_t articles = sizes.sentences.size();
    return {task.index, std::move(sizes), 0, task.text_sha256, {articles}};
  }
  // Splitting takes about as long as writing the text shards.
  progress.expect({{{"sentences", 1}, {"text shards", 1}}});
  SplitTexts split = split_texts({task.inputs, holds_sentence_lines(options),
                                  size_in_bytes(max_article_within(options.work.memory), "max-article")},
                                 splitter, index_file.path(), static_cast<std::size_t>(options.work.threads), progress);
  if (!options.work.force) require_as_recorded(task, split);
  return {index_file.path(), std::move(split.sizes), split.text_bytes, std::move(split.text_sha256),
          std::move(split.file_articles)};
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

std::vector<TextSource> sources_of(const ShardStep& task, const SplitCorpus& split) {
  std::vector<TextSource> sources;
  for (std::size_t i = 0; i < task.inputs.size(); ++i) sources.push_back({task.inputs[i], split.file_articles[i]});
  return sources;
}

// Places and writes everything; adds outputs and counts to `record`. No text shard gets its name until all are
// complete, so that a folder never mixes two assignments. Returns the number of bytes written.
std::uint64_t write_all(const ShardStep& task, const PipelineOptions& options, SplitCorpus split,
                        const OutputFolder& folder, Progress& progress, CompletionRecord& record) {
  const auto threads = static_cast<std::size_t>(options.work.threads);
  const std::size_t articles = split.sizes.sentences.size();
  const ShardAssignment shards = place_articles(weights_of(split.sizes, options.as_is), options.sharding);
  const ArticlePlaces places = places_of(shards, std::move(split.sizes.bytes));

  std::vector<PendingFile> files;
  std::vector<std::filesystem::path> paths;
  for (const std::string& name : shard_names(task.name, options)) {
    paths.push_back(files.emplace_back(folder.begin(name)).path());
  }
  write_text_shards({task.inputs, split.index, split.text_sha256}, places, paths, threads, progress);
  record.outputs = describe_all(files, threads, progress);
  PendingFile assignment = folder.begin_state(article_places_name(task.name));
  write_assignment(assignment.path(), places, std::array{std::uint64_t{0}, std::uint64_t{articles}});
  folder.begin_task(shard_task_name(task.name), record);
  assignment.publish();
  for (PendingFile& file : files) file.publish();
  record.counts.add("articles", Json::number(articles))
      .add("sentences", Json::number(options.as_is ? 0 : split.sizes.total_sentences))
      .add(kTextSources, json_of(sources_of(task, split), task.folder));
  std::uint64_t bytes_out = 0;
  for (const std::uint64_t bytes : places.shard_bytes) bytes_out += bytes;
  return bytes_out;
}

void refuse_other_runs(const ShardStep& task, const PipelineOptions& options, const OutputFolder& folder) {
  const std::vector<std::string> names = shard_names(task.name, options);
  refuse_inputs_among(task, names);
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

struct MadeTextShards {
  CompletionRecord record;
  std::uint64_t bytes_in = 0;
};

MadeTextShards make_text_shards(const ShardStep& task, const PipelineOptions& options, const SentenceSplitter& splitter,
                                const OutputFolder& folder, Progress& progress) {
  const PendingFile index_file = folder.begin_state(task.name + ".sentences");
  SplitCorpus split = split_corpus(task, options, splitter, index_file, progress);
  const std::uint64_t articles = split.sizes.sentences.size();
  const std::uint64_t bytes_split = split.bytes;
  const PipelineOptions settled = with_shards(options, articles);
  if (const std::string note = note_on_shards(options.sharding, articles); !note.empty()) progress.note(note);
  const std::uint64_t text_bytes =
      std::accumulate(split.sizes.bytes.begin(), split.sizes.bytes.end(), std::uint64_t{0});
  const std::string note = options.as_is ? "" : note_on_sentences(split.sizes.sentences, text_bytes);
  if (!note.empty()) progress.note(note);
  refuse_other_runs(task, settled, folder);

  const Recipe recipe = shard_recipe(task.name, settled, splitter);
  CompletionRecord record{.key = recipe.key(split.text_sha256), .outputs = {}, .recipe = recipe.json()};
  const std::uint64_t bytes_out = write_all(task, settled, std::move(split), folder, progress, record);
  return {std::move(record), bytes_split != 0 ? bytes_split : bytes_out};
}

// The same for a formatted file whose text the caller knows: unreadable text is damage.
MadeTextShards make_known(const ShardStep& task, const PipelineOptions& options, const SentenceSplitter& splitter,
                          const OutputFolder& folder, Progress& progress) {
  try {
    return make_text_shards(task, options, splitter, folder, progress);
  } catch (const FormatError& error) {
    if (task.text_sha256.empty()) throw;
    throw DamageError(error.what());
  }
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
  if (options.sharding.is_resolved()) refuse_inputs_among(task, shard_names(task.name, options));
  const OutputFolder folder(task.folder);
  if (options.sharding.is_resolved()) refuse_other_runs(task, options, folder);
  if (const auto record = find_finished(task, options, splitter, folder)) {
    StageReport report = found_report(kShard, *record);
    clock.measure(report);
    return report;
  }

  if (!options.work.force) keep_edited(folder, shard_task_name(task.name), progress);
  const MadeTextShards made = make_known(task, options, splitter, folder, progress);
  folder.write_record(shard_task_name(task.name), made.record);

  StageReport report = found_report(kShard, made.record);
  report.tasks_found = 0;
  report.tasks_made = made.record.outputs.size();
  report.bytes_in = made.bytes_in;
  clock.measure(report);
  return report;
} catch (...) {
  rethrow_as_error("sharding");
}

}  // namespace bertprep
