// Results of earlier calls: what differs from them, and what remains to be done.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "bertprep/pipeline/stages.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/run_layout.h"

namespace bertprep {

// The first entry in which two recipes differ, in words.
std::string difference(const Json& before, const Json& now);

// Throws FormatError if a result of `task` from another recipe or input exists, saying what differs.
void refuse_other_result(const OutputFolder& folder, const std::string& task, const Recipe& recipe,
                         const std::string& key);

// Whether a record exists for which the inputs must be hashed first.
bool checks_input(const RunLayout& layout, const PipelineOptions& options);
// The number of missing shards of all phases, by the current recipe and the text shards in `task.known`.
std::size_t count_missing_shards(const InstanceTask& task, const PipelineOptions& options, const Vocab& vocab);

// The input of the instance stage, with the digests of the text shards if known.
InstanceTask instance_task(const RunLayout& layout, const PipelineOptions& options, const SentenceSplitter& splitter,
                           const std::optional<CompletionRecord>& shard, const std::string& text_sha256);

}  // namespace bertprep
