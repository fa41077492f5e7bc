// What is left to do of a run that was begun before.
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
  bool is_there = false;  // its files, too, in their recorded sizes
  std::string why_not;    // without a record: why the stage has to be done
};

struct EarlierRun {
  InputDigest input;  // where a record of the formatted file is there, without --force
  EarlierStage format;
  EarlierStage shard;
  bool results_are_done = false;  // of the last stage
};

// A result of `task` that another recipe or input finished and that is still there. Throws FormatError that says what
// differs.
void refuse_other_result(const OutputFolder& folder, const std::string& task, const Recipe& recipe,
                         const std::string& key);

// Whether a record is there for which the inputs are hashed before all.
bool checks_input(const RunLayout& layout, const PipelineOptions& options);
// Hashes the inputs where a record is there to be compared with. Throws IoError, FormatError, Cancelled.
void look_at_format(const FormatTask& format, const RunLayout& layout, const PipelineOptions& options,
                    Progress& progress, EarlierRun& state);
// Fills in `state.shard`. The numbers of shards are known if the formatted file is.
void look_at_shards(const RunLayout& layout, const PipelineOptions& options, const SentenceSplitter& splitter,
                    EarlierRun& state);
// The shards of all phases that are not there, made by today's recipe from the text shards that `task.known` describes.
std::size_t count_missing_shards(const InstanceTask& task, const PipelineOptions& options, const Vocab& vocab);

// The input of the instance stage, with the digests of the text shards where they are known.
InstanceTask instance_task(const RunLayout& layout, const PipelineOptions& options, const SentenceSplitter& splitter,
                           const std::optional<CompletionRecord>& shard, const std::string& text_sha256);

}  // namespace bertprep
