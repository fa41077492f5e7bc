// SequenceModel: the model that makes a set: loaded once, and the same for the whole set.
#pragma once

#include <memory>

#include "bertprep/text/sentences.h"
#include "bertprep/token/text_encoder.h"
#include "pipeline/records/recipe.h"
#include "pipeline/sequences/part_writer.h"
#include "pipeline/sequences/sequences.h"

namespace bertprep {

struct SequenceModel {
  // Opens the vocabulary of `options` and fills in the options of `task` that are left open. Without inputs, the text
  // is that of a run, as PipelineOptions::as_is says. Throws IoError,
  // FormatError; ConfigError for options that contradict each other or the vocabulary.
  SequenceModel(const SequenceTask& task, const PipelineOptions& options);

  TextEncoder encoder;
  std::shared_ptr<const SentenceSplitter> splitter;  // null unless documents are to be split
  SequenceRule rule;
  Recipe recipe;
};

// make_sequences() with a model that the caller has loaded.
SequenceReport make_sequences(const SequenceTask& task, const SequenceModel& model, const PipelineOptions& options,
                              Progress& progress);

// Throws FormatError for other calls' results in the folder of `task`, as far as its inputs are known: a foreign
// manifest, results of another stage or recipe, parts of other inputs. Changes nothing.
void refuse_other_sequences(const SequenceTask& task, const SequenceModel& model);

// Whether the manifest and all parts exist, made by this recipe from the text shards in `task.known`.
bool are_sequences_done(const SequenceTask& task, const SequenceModel& model);

}  // namespace bertprep
