// Instances: text shards -> HDF5 shards of every phase.
#include "pipeline/stages/instance_stage.h"

#include <algorithm>
#include <mutex>

#include "base/fields.h"
#include "base/forwarding_progress.h"
#include "base/number_text.h"
#include "base/stage_errors.h"
#include "bertprep/shard/shard_writer.h"
#include "bertprep/token/tokenizer.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "pipeline/records/announced_shards.h"
#include "pipeline/records/damage.h"
#include "pipeline/records/dataset_vocab.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/records/output_place.h"
#include "pipeline/records/progress_journal.h"
#include "pipeline/stages/loaded_stages.h"
#include "pipeline/stages/unformatted_text.h"
#include "pipeline/text_shards/tokenize_shard.h"
#include "pipeline/work/serial_progress.h"
#include "pipeline/work/stage_clock.h"
#include "pipeline/work/worker_pool.h"
#include "pipeline/work/workers.h"
#include "quality/text_counts.h"

namespace bertprep {
namespace {

constexpr const char* kInstances = "instances";
constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20U;

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

// Work on a shard polls for cancellation often; this also commits waiting shards.
class CommittingProgress final : public SilentProgress {
 public:
  CommittingProgress(CommitQueue& commits, const Progress& observer) : SilentProgress(observer), commits_(commits) {}
  bool cancelled() const override {
    commits_.commit_due();
    return SilentProgress::cancelled();
  }

 private:
  CommitQueue& commits_;
};

// ShardWorker: data that a worker keeps between text shards: a warm cache of words, and memory already in use.
struct ShardWorker {
  Tokenizer tokenizer;
  TextCounter counter;
  Batch batch{};
  ShardBuffers buffers{};
};

// A tokenized text shard, for the shards of all phases.
struct TokenizedText {
  TokenizedDocuments documents;
  Json counts;  // TextCounts'
};

// The digest of a text shard, and its bytes once they are needed.
class ShardText {
 public:
  ShardText(const TextShard& shard, const Progress& progress)
      : shard_(shard), progress_(progress), sha256_(shard.facts.sha256) {}

  const std::string& sha256() {
    if (sha256_.empty()) bytes();
    return sha256_;
  }

  // Compares them with what is known of them.
  std::string_view bytes() {
    if (bytes_) return *bytes_;
    bytes_ = shard_.text ? std::string_view(*shard_.text) : file_.emplace(shard_.path).bytes();
    const TextShardFacts& facts = shard_.facts;
    if (!facts.sha256.empty() && !facts.xxh3.empty()) {
      require_recorded(shard_.path, facts.xxh3, xxh3_of(*bytes_));
    } else {
      const std::string read_sha256 = sha256_of(*bytes_, progress_);
      require_recorded(shard_.path, shard_.recorded_sha256, read_sha256);
      if (sha256_.empty()) sha256_ = read_sha256;
    }
    return *bytes_;
  }

 private:
  const TextShard& shard_;
  const Progress& progress_;
  std::string sha256_;
  std::optional<MappedFile> file_;
  std::optional<std::string_view> bytes_;
};

// Thread-safe. Phases must outlive its queue of shards.
class ShardMaker {
 public:
  ShardMaker(const Vocab& vocab, const PipelineOptions& options)
      : vocab_(vocab), options_(options), tokenizer_(vocab, options.tokenizer), workers_([this] {
          return ShardWorker{tokenizer_.clone(), TextCounter(vocab_, tokenizer_.clone(), options_.tokenizer)};
        }) {}

  // Returns the counts of the shards of all phases.
  StageReport make(const TextShard& text_shard, std::span<const OpenPhase> phases, const Progress& observer) {
    const CommittingProgress progress(commits_, observer);
    const std::string name = text_shard.path.stem().string();
    ShardText text(text_shard, progress);
    StageReport report;
    std::vector<const OpenPhase*> missing;
    for (const OpenPhase& phase : phases) {
      const bool force = options_.work.force && phase.plan_key.empty();
      auto record = force ? std::nullopt : phase.folder.finished(name, phase.recipe.key(text.sha256()));
      if (record) {
        if (!phase.plan_key.empty()) claim_for_plan(*record, phase, name);
        ++report.tasks_found;
        add_shard(phase, name, *record, report);
      } else {
        if (!force) refuse_other_text(phase.folder, name, text.sha256());
        missing.push_back(&phase);
      }
    }
    if (missing.empty()) return report;

    const std::string_view bytes = text.bytes();
    WorkerPool<ShardWorker>::Loan loan(workers_);
    ShardWorker& worker = *loan;
    TokenizedText tokenized{tokenize_text_shard(bytes, text_shard.path, worker.tokenizer, &worker.counter, progress),
                            {}};
    tokenized.counts = worker.counter.take().to_json();
    for (const OpenPhase* phase : missing) {
      FinishedTask shard = write_shard(tokenized, *phase, name, worker, progress);
      shard.record.key = phase->recipe.key(text.sha256());
      shard.record.plan_key = phase->plan_key;
      shard.record.counts.add("text_sha256", Json::string(text.sha256()));
      ++report.tasks_made;
      add_shard(*phase, name, shard.record, report);
      commits_.add(phase->folder, std::move(shard));
    }
    report.bytes_in = bytes.size();
    return report;
  }

  CommitQueue& commits() { return commits_; }

 private:
  // A shard made outside the plan also counts for it.
  static void claim_for_plan(CompletionRecord& record, const OpenPhase& phase, const std::string& name) {
    if (record.plan_key == phase.plan_key) return;
    record.plan_key = phase.plan_key;
    phase.folder.write_record(name, record);
  }

  // Those of the text are the same in all phases.
  static void add_shard(const OpenPhase& phase, const std::string& name, const CompletionRecord& record,
                        StageReport& report) {
    const StageCounts counts = counts_of(record);
    report.articles = counts.documents;
    report.sentences = counts.sentences;
    report.tokens = counts.tokens;
    report.rows += counts.rows;
    report.bytes_out += record.outputs.front().size_bytes;
    if (phase.sums) phase.sums->add(phase.folder, name, record);
  }

  // Without its key.
  FinishedTask write_shard(const TokenizedText& text, const OpenPhase& phase, const std::string& name,
                           ShardWorker& worker, const Progress& progress) const {
    const InstanceVocab vocab{vocab_.cls(), vocab_.sep(), vocab_.mask(), vocab_.ids()};
    const TokenizedDocuments& documents = text.documents;
    const InstanceSet instances(documents, vocab, phase.options, progress);
    const ShardShape shape{instances.rows(), static_cast<std::size_t>(phase.options.seq_len),
                           static_cast<std::size_t>(phase.options.max_predictions)};
    PendingFile pending = phase.folder.begin(name + ".hdf5");
    ShardWriter writer(pending.path(), shape, options_.layout, worker.buffers);
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

  const Vocab& vocab_;
  const PipelineOptions& options_;
  Tokenizer tokenizer_;
  WorkerPool<ShardWorker> workers_;
  CommitQueue commits_;
};

// Largest first, so that no thread ends alone with a large one.
std::vector<TextShard> by_size(const InstanceStep& task, bool force) {
  std::vector<TextShard> shards;
  RecordedTexts recorded;
  const std::uint64_t step = std::min<std::uint64_t>(task.share.count, task.text_shards.size());  // avoids overflow
  for (std::size_t i = task.share.task; i < task.text_shards.size(); i += step) {
    const std::filesystem::path& path = task.text_shards[i];
    if (task.known.empty()) {
      std::string sha256 = force ? "" : recorded.sha256(path);
      if (!force) refuse_no_text_shard(path, !sha256.empty());
      shards.push_back({path, {.bytes = InputFile(path).size_bytes(), .sha256 = {}}, std::move(sha256)});
    } else {
      shards.push_back({path, task.known[i], task.known[i].sha256});
    }
  }
  std::ranges::stable_sort(shards, std::ranges::greater{}, [](const TextShard& shard) { return shard.facts.bytes; });
  return shards;
}

std::set<std::string> planned_files(std::span<const std::filesystem::path> text_shards) {
  std::set<std::string> names;
  for (const std::filesystem::path& path : text_shards) {
    if (!names.insert(path.stem().string() + ".hdf5").second) {
      throw ConfigError("two text shards are named '" + path.stem().string() + "'", path,
                        "their shards would overwrite each other; rename one");
    }
  }
  if (names.empty()) throw ConfigError("no text shard was given");
  return names;
}

std::vector<OpenPhase> open_phases(const InstanceStep& task, const PipelineOptions& options, const Vocab& vocab,
                                   Progress& progress) {
  const std::set<std::string> planned = planned_files(task.text_shards);
  const InputGuard guard(task.text_shards);
  const std::vector<std::string> names(planned.begin(), planned.end());
  for (const InstancePhase& phase : task.phases) guard.refuse_files(phase.folder, names);
  const bool is_array = task.share.count > 1;
  std::vector<OpenPhase> phases;
  for (const InstancePhase& phase : task.phases) {
    validate(phase.options);
    const Recipe recipe = instance_recipe(phase.options, options, vocab);
    refuse_other_dataset(phase.folder, recipe.json(), task.provenance, options.work);
    refuse_foreign_vocab(phase.folder, vocab.sha256(), options.work);
    if (is_array) {
      phases.push_back({phase.options, OutputFolder::make_shared(phase.folder), recipe});
    } else {
      phases.push_back({phase.options, OutputFolder(phase.folder), recipe, {}, std::make_unique<RecordSums>()});
    }
    const OutputFolder& folder = phases.back().folder;
    refuse_foreign_shards(folder, planned, options.work);
    if (is_array) {
      announce_shards(folder, task.name, planned);
      continue;
    }
    if (task.whole_dataset) folder.reject_foreign_files(task.name, ".hdf5", planned, options.work.force);
    refuse_other_recipes(folder, recipe.json(), planned);
    if (const std::size_t count = count_outdated(folder, recipe.json(), planned)) {
      progress.note(
          phase.folder.string() + ": " +
          counted(count, "shard", "was made with another recipe and is", "were made with another recipe and are") +
          " made again");
    }
  }
  return phases;
}

std::size_t plan_threads(std::span<const TextShard> shards, const InstanceStep& task, const WorkOptions& work) {
  std::uint64_t largest = 0;
  for (const InstancePhase& phase : task.phases) {
    largest = std::max(largest, shard_memory_bytes(shards.front().facts.bytes, phase.options));
  }
  return threads_within(memory_bytes(work.memory), largest, resolve_threads(static_cast<std::size_t>(work.threads)));
}

std::vector<std::filesystem::path> states_of(std::span<const OpenPhase> phases) {
  std::vector<std::filesystem::path> states;
  for (const OpenPhase& phase : phases) states.push_back(phase.folder.state_folder());
  return states;
}

StageReport make_dataset(std::span<const TextShard> shards, const std::vector<OpenPhase>& phases,
                         const InstanceStep& task, const PipelineOptions& options, const Vocab& vocab,
                         Progress& progress) {
  const std::size_t threads = plan_threads(shards, task, options.work);
  progress.begin(kInstances, shards.size(), "text shards");
  StageReport report =
      make_shards({shards.size(), [&](std::size_t i) { return shards[i]; }, phases}, options, vocab, threads, progress);
  for (const OpenPhase& phase : phases) put_vocab(phase.folder, vocab, progress);
  std::vector<Manifest> manifests(task.share.count > 1 ? 0 : phases.size());
  for_each_task(manifests.size(), threads, progress, [&](std::size_t i) {
    manifests[i] = merge_records(phases[i].folder, task.name, task.provenance, task.dropped, *phases[i].sums);
    manifests[i].sources = task.sources;
  });
  for (std::size_t i = 0; i < manifests.size(); ++i) {
    publish_manifest(phases[i].folder, manifests[i]);
    report.data.push_back({phases[i].folder.path(), manifests[i].data, manifests[i].warnings});
  }
  progress.end();
  return report;
}

}  // namespace

std::uint64_t shard_memory_bytes(std::uint64_t text_bytes, const InstanceOptions& options) {
  // Text and ids take 1 byte each per byte of text, plus growth; instances about 0.4 bytes per copy.
  const double per_byte = 3.0 + 0.5 * static_cast<double>(options.dupe_factor);
  // More than any machine has: a larger number would not fit into an integer.
  constexpr double kMost = 0x1p62;
  return static_cast<std::uint64_t>(std::min(kMost, static_cast<double>(text_bytes) * per_byte)) + 16 * kMegabyte;
}

std::size_t threads_within(std::uint64_t memory, std::uint64_t largest_shard_bytes, std::size_t threads) {
  const std::uint64_t available = memory > kProcessBytes ? memory - kProcessBytes : 0;
  const std::uint64_t fitting = available / std::max<std::uint64_t>(1, largest_shard_bytes);
  if (fitting == 0) {
    throw FormatError("the largest text shard needs about " +
                          std::to_string((largest_shard_bytes + kProcessBytes) / kMegabyte + 1) +
                          " MiB, `memory` allows " + std::to_string(memory / kMegabyte),
                      {}, "give more `memory` or make more, smaller text shards");
  }
  return std::clamp<std::size_t>(static_cast<std::size_t>(fitting), 1, threads);
}

StageReport make_shards(const ShardsToMake& shards, const PipelineOptions& options, const Vocab& vocab,
                        std::size_t threads, Progress& progress) {
  ShardMaker maker(vocab, options);
  StageReport total{.stage = kInstances};
  std::mutex total_mutex;
  for_each_task(shards.count, threads, progress, [&](std::size_t i) {
    const StageReport made = maker.make(shards.text_shard(i), shards.phases, progress);
    const std::lock_guard lock(total_mutex);
    for (const auto count :
         {&StageReport::tasks_made, &StageReport::tasks_found, &StageReport::articles, &StageReport::sentences,
          &StageReport::tokens, &StageReport::rows, &StageReport::bytes_in, &StageReport::bytes_out}) {
      total.*count += made.*count;
    }
    progress.advance(1);
  });
  for_each_task(shards.phases.size(), threads, progress,
                [&](std::size_t i) { maker.commits().commit_all(shards.phases[i].folder); });
  return total;
}

StageReport make_instances(const InstanceTask& task, const PipelineOptions& options, Progress& progress) {
  return make_instances(InstanceStep{task}, options, progress);
}

StageReport make_instances(const InstanceStep& task, const PipelineOptions& options, Progress& progress) try {
  validate(options.tokenizer);
  require_fitting_case(options.vocabulary, options.tokenizer);
  return make_instances(task, options, load_vocab(options.vocabulary), progress);
} catch (...) {
  rethrow_as_error("making instances");
}

StageReport make_instances(const InstanceStep& task, const PipelineOptions& options, const Vocab& vocab,
                           Progress& observer) try {
  const StageClock clock;
  check_name(task.name);
  require_task(task.share.task, task.share.count);
  check_tokenizer(options.tokenizer);
  validate(options.layout);
  SerialProgress progress(observer);
  const std::vector<TextShard> shards = by_size(task, options.work.force);
  const std::vector<OpenPhase> phases = open_phases(task, options, vocab, progress);
  if (shards.empty()) {  // a task beyond the last text shard
    StageReport nothing{.stage = kInstances};
    clock.measure(nothing);
    return nothing;
  }
  for (const OpenPhase& phase : phases) {
    if (options.work.force) withdraw_manifest(phase.folder.path());
    withdraw_vocab(phase.folder.path(), vocab.sha256(), options.work);
  }
  const auto make = [&](Progress& journal) { return make_dataset(shards, phases, task, options, vocab, journal); };
  StageReport report =
      task.share.count > 1 ? make(progress) : StageJournal::record(states_of(phases), kInstances, progress, make);
  clock.measure(report);
  return report;
} catch (...) {
  rethrow_as_error("making instances");
}

}  // namespace bertprep
