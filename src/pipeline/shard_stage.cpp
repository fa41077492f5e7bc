// Sharding: formatted articles -> text shards.
#include <memory>
#include <mutex>
#include <set>

#include "bertprep/pipeline/stages.h"
#include "io/input_file.h"
#include "io/output_file.h"
#include "pipeline/folder_names.h"
#include "pipeline/input_digest.h"
#include "pipeline/output_folder.h"
#include "pipeline/placement.h"
#include "pipeline/recipe.h"
#include "pipeline/sentence_spool.h"
#include "pipeline/serial_progress.h"
#include "pipeline/stage_clock.h"
#include "pipeline/workers.h"

namespace bertprep {
namespace {

constexpr const char* kStage = "shard";
constexpr const char* kStageVersion = "1";

// A text shard to be written: its name and the articles it holds, in their order.
struct TextShard {
  std::string name;
  std::vector<std::uint32_t> articles;
};

std::vector<std::string> shard_names(const std::string& dataset, const ShardingOptions& options) {
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < options.train_shards; ++i) {
    names.push_back(training_name(dataset, static_cast<std::size_t>(i)) + ".txt");
  }
  for (std::int64_t i = 0; i < options.test_shards; ++i) {
    names.push_back(test_name(dataset, static_cast<std::size_t>(i)) + ".txt");
  }
  return names;
}

std::vector<TextShard> place(const SentenceSpool& spool, const std::string& dataset, const ShardingOptions& options) {
  Placement placement = place_articles(spool.sentences_per_article(), options);
  std::vector<TextShard> shards;
  for (std::string& name : shard_names(dataset, options)) shards.push_back({std::move(name), {}});
  std::size_t next = 0;
  for (auto& articles : placement.training) shards[next++].articles = std::move(articles);
  for (auto& articles : placement.test) shards[next++].articles = std::move(articles);
  return shards;
}

// Writes all text shards beside the folder; none has its name until all are whole, so that a folder never mixes two
// placements.
std::vector<PendingFile> write_text_shards(const SentenceSpool& spool, std::span<const TextShard> shards,
                                           const OutputFolder& folder, std::size_t threads, Progress& progress,
                                           std::vector<OutputEntry>& entries) {
  std::vector<PendingFile> pending;
  for (const TextShard& shard : shards) pending.push_back(folder.begin(shard.name));
  entries.resize(shards.size());
  progress.begin("text shards", shards.size(), "text shards");
  for_each_task(shards.size(), threads, progress, [&](std::size_t i) {
    OutputFile file(pending[i].path());
    for (const std::uint32_t article : shards[i].articles) file.write(spool.article(article));
    file.finish();
    entries[i] = OutputFolder::describe(pending[i]);
    progress.advance(1);
  });
  progress.end();
  return pending;
}

struct WrittenInput {
  std::uint64_t bytes = 0;
  std::string sha256;
};

// Splits, places and writes everything; adds outputs and counts to `record`.
WrittenInput write_all(const ShardTask& task, const PipelineOptions& options, const SentenceSplitter& splitter,
                       const OutputFolder& folder, Progress& progress, CompletionRecord& record) {
  const auto threads = static_cast<std::size_t>(options.work.threads);
  const bool split_lines = options.sentences.sentences == "lines";
  const PendingFile spool_file = folder.begin_state(task.name + ".spool");
  const SentenceSpool spool(task.inputs, split_lines, splitter, spool_file.path(), threads, progress);
  const std::vector<TextShard> shards = place(spool, task.name, options.sharding);
  std::vector<PendingFile> pending = write_text_shards(spool, shards, folder, threads, progress, record.outputs);
  for (PendingFile& file : pending) file.publish();
  const std::uint64_t articles = spool.sentences_per_article().size();
  record.counts.add("articles", Json::number(articles)).add("sentences", Json::number(spool.sentences()));
  return {spool.bytes_in(), spool.input_sha256()};
}

// Without an earlier record there is nothing to compare with: the inputs are hashed while they are split.
std::optional<CompletionRecord> find_finished(const ShardTask& task, const std::string& task_name, const Recipe& recipe,
                                              const OutputFolder& folder, const WorkOptions& work) {
  if (work.force || !folder.record(task_name)) return std::nullopt;
  return folder.finished(task_name, recipe.key(digest_files(task.inputs).sha256));
}

std::uint64_t total_bytes(std::span<const OutputEntry> outputs) {
  std::uint64_t sum = 0;
  for (const OutputEntry& output : outputs) sum += output.size_bytes;
  return sum;
}

StageReport found_report(const CompletionRecord& record) {
  StageReport report{.stage = kStage};
  report.tasks_found = record.outputs.size();
  report.articles = record.counts.at("articles").as_unsigned();
  report.sentences = record.counts.at("sentences").as_unsigned();
  report.bytes_out = total_bytes(record.outputs);
  return report;
}

}  // namespace

StageReport shard_articles(const ShardTask& task, const PipelineOptions& options, Progress& observer) {
  const StageClock clock;
  validate(options.sharding);
  validate(options.sentences);
  SerialProgress progress(observer);
  const auto splitter = make_sentence_splitter(options.sentences);
  // What can't be read is refused before a folder is made.
  for (const std::filesystem::path& input : task.inputs) MappedFile{input};
  const OutputFolder folder(task.folder);
  const std::vector<std::string> names = shard_names(task.name, options.sharding);
  folder.refuse_strangers(task.name, ".txt", {names.begin(), names.end()}, options.work.force);

  Recipe recipe(kStage, kStageVersion);
  recipe.add("name", task.name).add_options(options.sharding).add("sentences", splitter->identity());
  const std::string task_name = task.name + ".text-shards";
  if (const auto record = find_finished(task, task_name, recipe, folder, options.work)) {
    folder.tidy();
    StageReport report = found_report(*record);
    report.seconds = clock.seconds();
    return report;
  }

  folder.remove_record(task_name);
  CompletionRecord record{.key = {}, .outputs = {}, .recipe = recipe.json()};
  const WrittenInput input = write_all(task, options, *splitter, folder, progress, record);
  record.key = recipe.key(input.sha256);
  folder.write_record(task_name, record);
  folder.tidy();

  StageReport report = found_report(record);
  report.tasks_found = 0;
  report.tasks_made = record.outputs.size();
  report.bytes_in = input.bytes;
  report.seconds = clock.seconds();
  return report;
}

}  // namespace bertprep
