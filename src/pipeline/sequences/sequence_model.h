// SequenceModel: the model that makes a set: loaded once, and the same for the whole set.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bertprep/text/sentences.h"
#include "bertprep/token/text_encoder.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/resumption.h"
#include "pipeline/records/run_layout.h"
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

// A share of the text shards of an array job, whose tasks make these parts and no index.
struct SequenceShare {
  std::vector<std::size_t> text_shards;  // training first
  std::vector<TextShardFacts> known;     // of each
  std::string plan_key;                  // CompletionRecord's
};

// make_sequences() with a model that the caller has loaded; all parts and the set, without a share.
SequenceReport make_sequences(const SequenceTask& task, const SequenceModel& model, const PipelineOptions& options,
                              Progress& progress, const SequenceShare* share = nullptr);

// What a run makes: without inputs, and from its text shards, which `rows` has as a run that makes rows.
SequenceTask begun_sequences(const PipelineOptions& options);
SequenceTask sequences_of_run(const RunLayout& layout, const PipelineOptions& options, InstanceStep rows);
// The tasks of the parts of its text shards, in their order.
std::vector<std::string> sequence_parts(const RunLayout& layout, const PipelineOptions& options);

// In the record of a part that an array job made: the digest of its text shard.
inline constexpr const char* kTextShardDigest = "text_shard_sha256";

// Removes all parts, their combination and the manifest: for `force` in an array job.
void remove_sequences(const OutputFolder& folder);

// Throws FormatError for other calls' results in the folder of `task`, as far as its inputs are known: a foreign
// manifest, results of another stage or recipe, parts of other inputs. Changes nothing.
void refuse_other_sequences(const SequenceTask& task, const SequenceModel& model);

// Whether the manifest and all parts exist, made by this recipe from the text shards in `task.known`.
bool are_sequences_done(const SequenceTask& task, const SequenceModel& model);

}  // namespace bertprep
