// What remains to be done of an earlier run.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "bertprep/pipeline/stages.h"
#include "pipeline/records/input_digest.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/run_layout.h"

namespace bertprep {

// A finished stage of an earlier call with the same recipe and input.
struct EarlierStage {
  std::optional<CompletionRecord> record;
  bool is_complete = false;  // and its files have their recorded sizes
  std::string why_not;       // without a record: why the stage must be done
};

struct EarlierRun {
  InputDigest input;  // if a record of the formatted file exists, without --force
  EarlierStage format;
  std::string text_of_other_input;  // the digest of the existing text, if it is one
  bool lacks_report = false;        // the templates' report asked for is not that of the formatted file
  EarlierStage shard;
  bool results_are_done = false;  // of the last stage
};

// Throws FormatError if a result of `task` from another recipe or input exists, saying what differs.
void refuse_other_result(const OutputFolder& folder, const std::string& task, const Recipe& recipe,
                         const std::string& key);

// Whether a record exists for which the inputs must be hashed first.
bool checks_input(const RunLayout& layout, const PipelineOptions& options);
// Hashes the inputs if there is a record for comparison. Throws IoError, FormatError, Cancelled.
void find_earlier_format(const FormatTask& format, const RunLayout& layout, const PipelineOptions& options,
                         Progress& progress, EarlierRun& state);
// Fills in `state.shard`. The numbers of shards must be known if the formatted file exists.
void find_earlier_shards(const RunLayout& layout, const PipelineOptions& options, const SentenceSplitter& splitter,
                         EarlierRun& state);
// The number of missing shards of all phases, by the current recipe and the text shards in `task.known`.
std::size_t count_missing_shards(const InstanceTask& task, const PipelineOptions& options, const Vocab& vocab);

// The input of the instance stage, with the digests of the text shards if known.
InstanceTask instance_task(const RunLayout& layout, const PipelineOptions& options, const SentenceSplitter& splitter,
                           const std::optional<CompletionRecord>& shard, const std::string& text_sha256);

}  // namespace bertprep
