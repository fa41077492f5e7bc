// ArrayPlan: everything that decides the bytes of an array job, made once, read by every task.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/text/sentences.h"
#include "bertprep/token/vocab.h"
#include "io/json.h"
#include "pipeline/records/dataset_vocab.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/run_description.h"
#include "pipeline/sequences/sequence_model.h"
#include "pipeline/stages/corpus_pieces.h"

namespace bertprep {

// The language models of a run: the vocabulary, or that of token sequences, and the sentence splitter. Loaded once and
// passed to the tasks, so that all use the same ones even if a file changes meanwhile.
struct Models {
  // Throws IoError, FormatError, ConfigError, also if the case of the vocabulary differs from the text's.
  explicit Models(const PipelineOptions& options);

  // The recipes of the results, one per phase, or that of the set.
  std::vector<Recipe> recipes(const PipelineOptions& options) const;

  std::optional<Vocab> vocab;              // for rows
  std::optional<SequenceModel> sequences;  // else
  std::shared_ptr<const SentenceSplitter> splitter;
};

struct ArrayPlan {
  std::filesystem::path output;  // ROOT of the shards
  std::vector<CorpusPart> parts;
  PipelineOptions options;   // with models and name resolved, numbers of shards as given; of `work`, only `keep`
  std::string input_digest;  // of what is known of files that the tasks fetch; then also is_listed
  bool is_listed = false;
  std::uint64_t input_bytes = 0;
  std::vector<CorpusPiece> pieces;
  // The keys of each stage's results, derived from the other members.
  std::string format_key;
  std::string shard_key;
  std::vector<std::string> instance_keys;  // one per phase, or that of the set of sequences
  std::shared_ptr<const Models> models{};  // of `options`, after derive_keys() or require_keys()

  // "piece_00012"
  static std::string piece_name(std::size_t piece);
  // Distinguishes this plan's results from another's.
  const std::string& key() const { return instance_keys.front(); }

  Json to_json() const;
  // Throws FormatError.
  static ArrayPlan from_json(const Json& json);
};

// Loads the models and fills in the keys.
void derive_keys(ArrayPlan& plan);

// Of the formatted file, as in a run in one process; `earlier`: its record, if it exists.
Recipe formatted_recipe(const ArrayPlan& plan, const std::optional<CompletionRecord>& earlier = {});

// As run.json has it. The models are loaded.
RunDescription description_of(const ArrayPlan& plan, const PipelineOptions& options, const BuildFolders& folders);

// Throws FormatError for other calls' sequences where this job makes its set; with `options` that know the numbers of
// shards, also for parts of others.
void refuse_other_set(const ArrayPlan& plan, const PipelineOptions& options, const RunLayout& run);

// Loads the models. Throws FormatError if they would give other bytes than those of the plan.
void require_keys(ArrayPlan& plan);

// The plan in `file`. If there is none, throws FormatError, which says how to make it.
ArrayPlan load_plan(const std::filesystem::path& file);

}  // namespace bertprep
