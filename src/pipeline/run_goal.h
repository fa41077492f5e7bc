// RunGoal: the result of a run after its text shards: rows for BERT, or a set of token sequences.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/pipeline/build.h"
#include "bertprep/text/sentences.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/run_description.h"
#include "pipeline/records/run_layout.h"

namespace bertprep {

// The text that a run has made. `options` have the numbers of shards.
struct FinishedText {
  const RunLayout& layout;
  const PipelineOptions& options;
  CompletionRecord format;
  CompletionRecord shard;
  std::vector<ManifestSource> sources{};
};

class RunGoal {
 public:
  virtual ~RunGoal() = default;

  // The paths of the results, below the output folder, and what decides their bytes.
  virtual std::vector<RunPhase> places(const BuildFolders& folders, const PipelineOptions& options) const = 0;
  // Throws FormatError for results of other runs there, as far as known: the numbers of shards may be unknown, and
  // `text_sha256`, of the formatted text, empty.
  virtual void refuse_others(const RunLayout& layout, const PipelineOptions& options,
                             const std::string& text_sha256) const = 0;
  // Whether all results for this text exist.
  virtual bool is_done(const FinishedText& text) const = 0;
  // Does the last stage. Fills in all of the report except earlier stages.
  virtual BuildReport make(const FinishedText& text, Progress& progress) const = 0;
};

// Both load the vocabulary. They throw as build() for invalid options.
std::unique_ptr<RunGoal> rows_goal(const PipelineOptions& options, std::shared_ptr<const SentenceSplitter> splitter);
// For options with `sequences`.
std::unique_ptr<RunGoal> sequences_goal(const PipelineOptions& options,
                                        std::shared_ptr<const SentenceSplitter> splitter);

}  // namespace bertprep
