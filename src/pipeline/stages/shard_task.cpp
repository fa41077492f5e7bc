#include "pipeline/stages/shard_task.h"

#include <algorithm>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/damage.h"
#include "pipeline/text_shards/tokenize_shard.h"
#include "quality/data_counts.h"

namespace bertprep {
namespace {

// The ids of a batch stay in the L1 cache, and batches end at chunk boundaries.
constexpr std::size_t kBatchIds = std::size_t{1} << 15;

void write_rows(const InstanceSet& instances, const ShardShape& shape, ShardWriter& writer, Batch& batch,
                const Progress& progress) {
  const std::size_t batch_rows = std::max(kBatchIds / shape.seq_len, std::size_t{1});
  for (std::size_t first = 0; first < shape.rows; first += batch_rows) {
    if (progress.cancelled()) throw Cancelled();
    instances.copy_rows(first, std::min(batch_rows, shape.rows - first), batch);
    writer.append(batch);
  }
  writer.finish();
}

void add_counts(const CompletionRecord& record, ShardCounts& counts) {
  counts.rows += counts_of(record).rows;
  counts.bytes_out += record.outputs.front().size_bytes;
}

// Work on a shard polls for cancellation often; this also commits waiting shards.
class CommittingProgress final : public Progress {
 public:
  CommittingProgress(CommitQueue& commits, const Progress& observer) : commits_(commits), observer_(observer) {}
  bool cancelled() const override {
    commits_.commit_due();
    return observer_.cancelled();
  }

 private:
  CommitQueue& commits_;
  const Progress& observer_;
};

// A shard made outside the plan also counts for it.
void claim_for_plan(CompletionRecord& record, const OpenPhase& phase, const std::string& name) {
  if (record.plan_key == phase.plan_key) return;
  record.plan_key = phase.plan_key;
  phase.folder.write_record(name, record);
}

void add_text_counts(const CompletionRecord& record, ShardCounts& counts) {
  const StageCounts text = counts_of(record);
  counts.documents = text.documents;
  counts.sentences = text.sentences;
  counts.tokens = text.tokens;
}

}  // namespace

ShardWorkers shard_workers(const Vocab& vocab, const Tokenizer& tokenizer, const TokenizerOptions& options) {
  return ShardWorkers([&vocab, &tokenizer, &options] {
    return ShardWorker{tokenizer.clone(), TextCounter(vocab, tokenizer.clone(), options)};
  });
}

ShardCounts& ShardCounts::operator+=(const ShardCounts& other) {
  made += other.made;
  found += other.found;
  documents += other.documents;
  sentences += other.sentences;
  tokens += other.tokens;
  rows += other.rows;
  bytes_in += other.bytes_in;
  bytes_out += other.bytes_out;
  return *this;
}

StageReport report_of(const ShardCounts& counts) {
  StageReport report{.stage = "instances"};
  report.tasks_made = counts.made;
  report.tasks_found = counts.found;
  report.articles = counts.documents;
  report.sentences = counts.sentences;
  report.tokens = counts.tokens;
  report.rows = counts.rows;
  report.bytes_in = counts.bytes_in;
  report.bytes_out = counts.bytes_out;
  return report;
}

// Without its key.
FinishedTask ShardMaker::write_shard(const TokenizedText& text, const OpenPhase& phase, const std::string& name,
                                     ShardWorker& worker, const Progress& progress) const {
  const InstanceVocab vocab{vocab_.cls(), vocab_.sep(), vocab_.mask(), vocab_.ids()};
  const TokenizedDocuments& documents = text.documents;
  const InstanceSet instances(documents, vocab, phase.options, progress);
  const ShardShape shape{instances.rows(), static_cast<std::size_t>(phase.options.seq_len),
                         static_cast<std::size_t>(phase.options.max_predictions)};
  PendingFile pending = phase.folder.begin(name + ".hdf5");
  ShardWriter writer(pending.path(), shape, layout_, worker.buffers);
  write_rows(instances, shape, writer, worker.batch, progress);

  CompletionRecord record;
  const FileDigest digest = writer.digest(progress);
  record.outputs.push_back({pending.final_path().filename().string(), digest.bytes, digest.sha256});
  record.recipe = phase.recipe.json();
  record.counts.add("rows", Json::number(instances.rows()))
      .add("masked_tokens", Json::number(instances.masked_tokens()))
      .add("random_draws", Json::number(instances.random_draws()))
      .add("documents", Json::number(documents.documents()))
      .add("sentences", Json::number(documents.sentences()))
      .add("tokens", Json::number(documents.tokens()))
      .add(kVocabName, Json::string(vocab_.name()))
      .add(kShardCounts, shard_counts_json(text.counts, instances.counts(), instances.cut_tokens()));
  return {name, std::move(record), std::move(pending)};
}

ShardCounts ShardMaker::make(const TextShard& text_shard, std::span<const OpenPhase> phases,
                             const Progress& observer) const {
  const CommittingProgress progress(commits_, observer);
  const std::string name = text_shard.path.stem().string();
  std::optional<MappedFile> file;
  std::optional<std::string_view> text;
  std::string text_sha256 = text_shard.sha256;
  const auto read = [&] {
    if (text_shard.text) {
      text = text_shard.text;
    } else {
      text = file.emplace(text_shard.path).bytes();
    }
    if (!text_sha256.empty() && !text_shard.xxh3.empty()) {
      return require_recorded(text_shard.path, text_shard.xxh3, xxh3_of(*text));
    }
    const std::string read_sha256 = sha256_of(*text, progress);
    require_recorded(text_shard.path, text_shard.recorded_sha256, read_sha256);
    if (text_sha256.empty()) text_sha256 = read_sha256;
  };
  if (text_sha256.empty()) read();

  ShardCounts counts;
  std::vector<std::pair<const OpenPhase*, std::string>> missing;
  for (const OpenPhase& phase : phases) {
    std::string key = phase.recipe.key(text_sha256);
    auto record = force_ ? std::nullopt : phase.folder.finished(name, key);
    if (record) {
      if (!phase.plan_key.empty()) claim_for_plan(*record, phase, name);
      ++counts.found;
      add_counts(*record, counts);
      add_text_counts(*record, counts);
      if (phase.sums) phase.sums->add(phase.folder, name, *record);
    } else {
      if (!force_) refuse_other_text(phase.folder, name, text_sha256);
      missing.emplace_back(&phase, std::move(key));
    }
  }
  if (missing.empty()) return counts;

  if (!text) read();
  ShardWorkers::Loan loan(workers_);
  ShardWorker& worker = *loan;
  TokenizedText tokenized{tokenize_text_shard(*text, text_shard.path, worker.tokenizer, &worker.counter, progress), {}};
  tokenized.counts = worker.counter.take().to_json();
  for (const auto& [phase, key] : missing) {
    FinishedTask shard = write_shard(tokenized, *phase, name, worker, progress);
    CompletionRecord& record = shard.record;
    record.key = key;
    record.plan_key = phase->plan_key;
    record.counts.add("text_sha256", Json::string(text_sha256));
    ++counts.made;
    add_counts(record, counts);
    add_text_counts(record, counts);
    if (phase->sums) phase->sums->add(phase->folder, name, record);
    commits_.add(phase->folder, std::move(shard));
  }
  counts.bytes_in = text->size();
  return counts;
}

}  // namespace bertprep
