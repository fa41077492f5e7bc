// RunGoal: the result of a run after its text shards: rows for BERT, or a set of token sequences. For a run in one
// process and for array jobs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/pipeline/build.h"
#include "bertprep/token/vocab.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/run_description.h"
#include "pipeline/records/run_layout.h"
#include "pipeline/sequences/sequence_model.h"

namespace bertprep {

// How a run makes its text, and where its results lie.
struct RunShape {
  BuildFolders folders;
  PipelineOptions options;  // without `auto`; default numbers of shards are unknown until the articles are counted
  RunLayout layout;
  std::shared_ptr<const SentenceSplitter> splitter;
};

// The records of the text that a run has made.
struct FinishedText {
  CompletionRecord format;
  CompletionRecord shard;
  std::vector<ManifestSource> sources{};
};

class RunGoal {
 public:
  virtual ~RunGoal() = default;

  // What decides the bytes of the results, without the text: one for each of result_folders().
  virtual std::vector<Recipe> recipes(const PipelineOptions& options) const = 0;
  // As run.json has them.
  RunDescription description(const RunShape& run) const;
  // Throws FormatError for results of other runs there, as far as known: the numbers of shards may be unknown, and
  // `text_sha256`, of the formatted text, empty. Changes nothing.
  virtual void refuse_others(const RunShape& run, const std::string& text_sha256) const = 0;
  // Whether all results for this text exist. `run` has the numbers of shards, here and below.
  virtual bool is_done(const RunShape& run, const FinishedText& text) const = 0;
  // Does the last stage. Fills in all of the report except earlier stages.
  virtual BuildReport make(const RunShape& run, const FinishedText& text, Progress& progress) const = 0;

  // The model of this goal; null for the other.
  virtual const Vocab* rows() const { return nullptr; }
  virtual const SequenceModel* sequences() const { return nullptr; }
};

// Rows, or token sequences for options with `sequences`. Loads the vocabulary. Throws as build() for invalid options.
std::unique_ptr<RunGoal> make_run_goal(const PipelineOptions& options);
// Loads the splitter of a run.
std::shared_ptr<const SentenceSplitter> make_run_splitter(const PipelineOptions& options);

}  // namespace bertprep
