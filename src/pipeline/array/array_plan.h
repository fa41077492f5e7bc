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
#include "io/json.h"
#include "pipeline/goal/run_goal.h"
#include "pipeline/records/recipe.h"
#include "pipeline/stages/corpus_pieces.h"

namespace bertprep {

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
  // Loaded by derive_keys() or require_keys(); tasks use them even if a file changes meanwhile.
  std::shared_ptr<const SentenceSplitter> splitter{};
  std::shared_ptr<const RunGoal> goal{};

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

// Loads the models. Throws FormatError if they would give other bytes than those of the plan.
void require_keys(ArrayPlan& plan);

// The plan in `file`. If there is none, throws FormatError, which says how to make it.
ArrayPlan load_plan(const std::filesystem::path& file);

}  // namespace bertprep
