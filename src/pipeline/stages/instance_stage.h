// Text shards -> their shards of all phases; and how many may be made at once within --memory.
#pragma once

#include <functional>

#include "bertprep/token/vocab.h"
#include "pipeline/records/manifest_of_folder.h"
#include "pipeline/records/resumption.h"

namespace bertprep {

// A phase with its folder open and its recipe complete.
struct OpenPhase {
  InstanceOptions options;
  OutputFolder folder;
  Recipe recipe;
  std::string plan_key{};  // in array jobs: CompletionRecord's; `force` does not apply there
  // Gets the record of each shard, unless empty.
  std::unique_ptr<RecordSums> sums{};
};

struct TextShard {
  std::filesystem::path path;
  TextShardFacts facts{};             // what is known of it; without a sha256, it is read first
  std::string recorded_sha256{};      // compared with the text read, unless empty
  std::optional<std::string> text{};  // its bytes, if they are in memory and not at `path`
};

struct ShardsToMake {
  std::size_t count = 0;
  // The text shard of this index. Called from several threads at once.
  std::function<TextShard(std::size_t)> text_shard;
  std::span<const OpenPhase> phases;
};

// Makes the shards that don't exist yet, in all phases; tokenizes a text shard once for all of them, and opens one of
// known digest only if there is something to make. Advances `progress` by one for each. Memory, per thread: the text,
// its token ids and the instances of one phase. Throws Error.
StageReport make_shards(const ShardsToMake& shards, const PipelineOptions& options, const Vocab& vocab,
                        std::size_t threads, Progress& progress);

// Of every process: vocabulary, trie, caches, chunk buffers and the libraries themselves.
inline constexpr std::uint64_t kProcessBytes = std::uint64_t{64} << 20U;

// The peak memory for one text shard of `text_bytes`, in bytes: the mapped text, its token ids and the instances of one
// phase. An upper estimate; tests/e2e compares it with the measured memory.
std::uint64_t shard_memory_bytes(std::uint64_t text_bytes, const InstanceOptions& options);

// The maximum number of threads, from 1 to `threads`, whose shards fit in `memory`. Throws FormatError if not even one
// does.
std::size_t threads_within(std::uint64_t memory, std::uint64_t largest_shard_bytes, std::size_t threads);

}  // namespace bertprep
