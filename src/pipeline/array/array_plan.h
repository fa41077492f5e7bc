// ArrayPlan: everything that decides the bytes of an array job, made once and read by every task.
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
#include "pipeline/records/output_folder.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/run_layout.h"
#include "pipeline/stages/corpus_pieces.h"
#include "token/vocab_catalogue.h"

namespace bertprep {

// What a run knows of its languages: the vocabulary and the sentence splitter. Loaded once and handed to the tasks, so
// that all of them work with the same ones though a file may change meanwhile.
struct Models {
  // Throws IoError, FormatError, ConfigError, also for a vocabulary of another case than the text's.
  explicit Models(const PipelineOptions& options)
      : vocab(load_vocab(options.vocabulary)), splitter(make_sentence_splitter(options.sentences)) {
    require_fitting_case(options.vocabulary, options.tokenizer, vocab.sha256());
  }

  Vocab vocab;
  std::shared_ptr<const SentenceSplitter> splitter;
};

struct ArrayPlan {
  std::filesystem::path output;  // ROOT of the shards
  std::vector<CorpusPart> parts;
  PipelineOptions options;  // with models and name looked up, numbers of shards as given; of `work`, what is kept
  std::string input_digest;
  std::uint64_t input_bytes = 0;
  std::vector<CorpusPiece> pieces;
  // Under which the results of each stage are found. They follow from the rest.
  std::string format_key;
  std::string shard_key;
  std::vector<std::string> instance_keys;  // one a phase
  std::shared_ptr<const Models> models{};  // of `options`, once derive_keys() or require_keys() has loaded them

  // "piece_00012"
  static std::string piece_name(std::size_t piece);
  // Says of another plan's results that they are no part of this one's.
  const std::string& key() const { return instance_keys.front(); }

  Json to_json() const;
  // Throws FormatError.
  static ArrayPlan from_json(const Json& json);
};

// Loads the models and fills in the keys.
void derive_keys(ArrayPlan& plan);

// Of the formatted file, as a run in one process leaves it; `earlier`: its record, where it is there.
Recipe formatted_recipe(const ArrayPlan& plan, const std::optional<CompletionRecord>& earlier = {});

// Throws FormatError when models of today would give other bytes than those of the plan.
// Loads them.
void require_keys(ArrayPlan& plan);

// The plan in `file`. Throws FormatError when there is none, which says how to make it.
ArrayPlan load_plan(const std::filesystem::path& file);

}  // namespace bertprep
