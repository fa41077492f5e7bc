// ArrayPlan: everything that decides the bytes of an array job, made once and read by every task.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "bertprep/pipeline/pipeline_options.h"
#include "io/json.h"
#include "pipeline/corpus_pieces.h"
#include "pipeline/recipe.h"
#include "pipeline/run_layout.h"

namespace bertprep {

struct ArrayPlan {
  std::filesystem::path output;  // ROOT of the shards
  std::vector<CorpusPart> parts;
  PipelineOptions options;  // with models and name looked up; of `work`, only what is kept
  std::string input_sha256;
  std::uint64_t input_bytes = 0;
  std::vector<CorpusPiece> pieces;
  // Under which the results of each stage are found. They follow from the rest.
  std::string format_key;
  std::string shard_key;
  std::vector<std::string> instance_keys;  // one a phase

  std::size_t shards() const;
  // "piece_00012"
  static std::string piece_name(std::size_t piece);
  // "NAME_training_3": training shards first
  std::string shard_name(std::size_t shard) const;
  // Says of another plan's results that they are no part of this one's.
  const std::string& key() const { return instance_keys.front(); }

  Json to_json() const;
  // Throws FormatError.
  static ArrayPlan from_json(const Json& json);
};

// Fills in the keys. Loads the vocabulary and the sentence splitter.
void derive_keys(ArrayPlan& plan);

// Throws FormatError when models of today would give other bytes than those of the plan.
void require_keys(const ArrayPlan& plan);

// The plan in `file`. Throws FormatError when there is none, which says how to make it.
ArrayPlan load_plan(const std::filesystem::path& file);

}  // namespace bertprep
