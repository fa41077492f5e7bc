// RunGoal: the result of a run after its text shards: rows for BERT, or a set of token sequences.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/pipeline/build.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/run_description.h"
#include "pipeline/run_plan.h"

namespace bertprep {

// The records of the text that a run has made.
struct FinishedText {
  CompletionRecord format;
  CompletionRecord shard;
  std::vector<ManifestSource> sources{};
};

class RunGoal {
 public:
  virtual ~RunGoal() = default;

  // The paths of the results, below the output folder, and what decides their bytes.
  virtual std::vector<RunPhase> places(const RunPlan& plan) const = 0;
  // Throws FormatError for results of other runs there, as far as known: the numbers of shards may be unknown, and
  // `text_sha256`, of the formatted text, empty.
  virtual void refuse_others(const RunPlan& plan, const std::string& text_sha256) const = 0;
  // Whether all results for this text exist. `plan` has the numbers of shards, here and below.
  virtual bool is_done(const RunPlan& plan, const FinishedText& text) const = 0;
  // Does the last stage. Fills in all of the report except earlier stages.
  virtual BuildReport make(const RunPlan& plan, const FinishedText& text, Progress& progress) const = 0;
};

// Rows, or token sequences for options with `sequences`. Loads the vocabulary. Throws as build() for invalid options.
std::unique_ptr<RunGoal> make_run_goal(const PipelineOptions& options);

}  // namespace bertprep
