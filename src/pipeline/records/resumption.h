// Results of earlier calls: what differs from them, and what remains to be done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bertprep/pipeline/stages.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/run_layout.h"
#include "pipeline/work/progress_report.h"

namespace bertprep {

struct TextShardFacts {
  std::uint64_t bytes = 0;
  std::string sha256;
  std::string xxh3{};  // empty: unknown; then the sha256 is compared when the text shard is read
};

// The instances of a run, or of a task of an array.
struct InstanceStep : InstanceTask {
  // One per text shard if already known: a text shard whose shards all exist is then not read, and may be gone.
  // Otherwise empty.
  std::vector<TextShardFacts> known{};
  // True: the folders must contain only these shards; those of another run are refused (or removed with --force).
  bool whole_dataset = false;
  // For the manifest: how the text was made, and what was left out of it.
  std::vector<std::pair<std::string, std::string>> provenance{};
  DroppedDocuments dropped{};
  std::vector<ManifestSource> sources{};
  // A task of an array processes every count-th text shard, starting with this one, and writes no manifest;
  // finish_shards() writes it when all tasks are done.
  ArrayShare share{};
};

// The first entry in which two recipes differ, in words.
std::string difference(const Json& before, const Json& now);

// Throws FormatError if a result of `task` from another recipe or input exists, saying what differs.
void refuse_other_result(const OutputFolder& folder, const std::string& task, const Recipe& recipe,
                         const std::string& key);

// Whether a record exists for which the inputs must be hashed first.
bool checks_input(const RunLayout& layout, const PipelineOptions& options);
// The number of missing shards of all phases, by the current recipe and the text shards in `task.known`.
std::size_t count_missing_shards(const InstanceStep& task, const PipelineOptions& options, const Vocab& vocab);

// The input of the instance stage, with the digests of the text shards if known.
InstanceStep instance_step(const RunLayout& layout, const PipelineOptions& options, const SentenceSplitter& splitter,
                           const std::optional<CompletionRecord>& shard, const std::string& text_sha256);

}  // namespace bertprep
