// ShardMaker: one text shard -> its shards of all phases.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/instance/instance_set.h"
#include "bertprep/pipeline/stages.h"
#include "bertprep/shard/schema.h"
#include "bertprep/shard/shard_writer.h"
#include "bertprep/token/tokenizer.h"
#include "bertprep/token/vocab.h"
#include "pipeline/records/commit_queue.h"
#include "pipeline/records/manifest_of_folder.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/records/recipe.h"
#include "pipeline/work/worker_pool.h"
#include "quality/text_counts.h"

namespace bertprep {

// ShardWorker: data that a worker keeps between text shards: a warm cache of words, and memory already in use.
struct ShardWorker {
  Tokenizer tokenizer;
  TextCounter counter;
  Batch batch{};
  ShardBuffers buffers{};
};

using ShardWorkers = WorkerPool<ShardWorker>;
// All are kept by reference.
ShardWorkers shard_workers(const Vocab& vocab, const Tokenizer& tokenizer, const TokenizerOptions& options);

// A phase with its folder open and its recipe complete.
struct OpenPhase {
  InstanceOptions options;
  OutputFolder folder;
  Recipe recipe;
  std::string plan_key{};  // in array jobs: CompletionRecord's
  // Gets the record of each shard, unless empty.
  std::unique_ptr<RecordSums> sums{};
};

struct ShardCounts {
  std::uint64_t made = 0;   // shards made now
  std::uint64_t found = 0;  // and those of an earlier call
  std::uint64_t documents = 0;
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;
  std::uint64_t rows = 0;
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;

  ShardCounts& operator+=(const ShardCounts& other);
};

// The report of the stage `instances`, without its time.
StageReport report_of(const ShardCounts& counts);

struct TextShard {
  std::filesystem::path path;
  std::string sha256{};                    // of the text; empty: not yet known
  std::string recorded_sha256{};           // compared with the text read, unless empty
  std::optional<std::string_view> text{};  // its bytes, if they are in memory and not at `path`
  std::string xxh3{};                      // with sha256: compared with the text read instead, unless empty
  std::uint64_t bytes = 0;                 // of the file, for the order of work
};

// A tokenized text shard, for the shards of all phases.
struct TokenizedText {
  TokenizedDocuments documents;
  Json counts;  // TextCounts'
};

class ShardMaker {
 public:
  // All arguments are kept by reference.
  ShardMaker(const Vocab& vocab, ShardWorkers& workers, const ShardLayoutOptions& layout, CommitQueue& commits,
             bool force)
      : vocab_(vocab), workers_(workers), layout_(layout), commits_(commits), force_(force) {}

  // Makes the shards of `text_shard` that don't exist yet, and passes them to the queue; tokenizes the text once for
  // all phases, which must outlive the queue. Opens a text shard of known digest only if there is something to make.
  // Thread-safe.
  // Memory: the token ids and the instances of one phase; the text is mapped.
  ShardCounts make(const TextShard& text_shard, std::span<const OpenPhase> phases, const Progress& progress) const;

 private:
  FinishedTask write_shard(const TokenizedText& text, const OpenPhase& phase, const std::string& name,
                           ShardWorker& worker, const Progress& progress) const;

  const Vocab& vocab_;
  ShardWorkers& workers_;
  const ShardLayoutOptions& layout_;
  CommitQueue& commits_;
  bool force_;
};

}  // namespace bertprep
