// The steps of a plan between its sample and its text.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "bertprep/pipeline/build.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/pipeline/stages.h"
#include "pipeline/plan/plan.h"
#include "pipeline/plan/plan_sample.h"

namespace bertprep {

// Results and times of the stages for a sample.
struct MeasuredPhase {
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
};

// For the whole sample; seconds are those of the faster of two runs.
struct Measured {
  std::uint64_t articles = 0;
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;
  std::uint64_t formatted_bytes = 0;
  std::uint64_t text_shard_bytes = 0;
  std::uint64_t index_bytes = 0;  // of the sentence index, between formatting and sharding
  std::uint64_t shards = 0;       // of each phase
  std::vector<MeasuredPhase> phases;
  double check_seconds = 0;  // of checking the input against an earlier record
  double format_seconds = 0;
  double shard_seconds = 0;
  double instances_seconds = 0;
};

// Runs the stages in `folder`, with fewer shards than `options` say, as the sample is smaller than the corpus. Throws
// as build().
Measured measure_sample(const PlanSample& sample, const std::filesystem::path& folder, const PipelineOptions& options,
                        Progress& progress);

// A plan's need for memory and disks, and warnings about it.

// Adds memory, disks and warnings to a plan with sizes. `index_bytes` is the size of the index that exists until the
// text shards are written.
void add_needs(const BuildFolders& folders, const PipelineOptions& options, std::uint64_t index_bytes, Plan& plan);

// Text without meaning, for measuring a machine's speed without an input.

// Writes about `bytes` of articles, always the same, and a vocabulary and sentence parameters for them, into `folder`,
// which must exist. Sets these in `options`.
CorpusPart write_generated_text(const std::filesystem::path& folder, std::uint64_t bytes, PipelineOptions& options);

}  // namespace bertprep
