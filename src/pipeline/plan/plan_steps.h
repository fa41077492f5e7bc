// The steps of a plan between its sample and its text.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "bertprep/pipeline/build.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/pipeline/stages.h"
#include "pipeline/plan/plan.h"
#include "pipeline/plan/plan_sample.h"

namespace bertprep {

// What the real stages make of a sample, and how long they take.
struct MeasuredPhase {
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
};

// All of the sample; seconds are those of the faster of two runs.
struct Measured {
  std::uint64_t articles = 0;
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;
  std::uint64_t formatted_bytes = 0;
  std::uint64_t text_shard_bytes = 0;
  std::uint64_t index_bytes = 0;  // of sentences, between formatting and sharding
  std::uint64_t shards = 0;       // of each phase
  std::vector<MeasuredPhase> phases;
  double check_seconds = 0;  // of a run that finds an earlier one's record
  double format_seconds = 0;
  double shard_seconds = 0;
  double instances_seconds = 0;
};

// Runs the stages in `folder`, with fewer shards than `options` say, as the sample is smaller than the corpus. Throws
// as build() does.
Measured measure_sample(const PlanSample& sample, const std::filesystem::path& folder, const PipelineOptions& options,
                        Progress& progress);

// What a plan asks of memory and disks, and what is wrong with that.

// Fills in memory, disks and warnings of a plan that has its sizes. `index_bytes` is what lies beside the formatted
// file until the text shards are written.
void add_needs(const BuildFolders& folders, const PipelineOptions& options, std::uint64_t index_bytes, Plan& plan);

// Text without meaning, for measuring the speed of a machine where there is no other.

// Writes about `bytes` of articles, the same ones every time, and what they need to be tokenized and split, into
// `folder`, which exists. `options` get the vocabulary and sentence parameters that lie there.
CorpusPart write_generated_text(const std::filesystem::path& folder, std::uint64_t bytes, PipelineOptions& options);

}  // namespace bertprep
