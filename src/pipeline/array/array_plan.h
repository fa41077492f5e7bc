// ArrayPlan: everything that decides the bytes of an array job, made once, read by every task.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "io/json.h"
#include "pipeline/goal/run_plan.h"
#include "pipeline/stages/corpus_pieces.h"

namespace bertprep {

struct ArrayPlan {
  explicit ArrayPlan(RunPlan planned) : run(std::move(planned)) {}

  RunPlan run;               // numbers of shards as given; when read, of `work` only `keep`, and without models
  std::string input_digest;  // of what is known of files that the tasks fetch; then also is_listed
  bool is_listed = false;
  std::uint64_t input_bytes = 0;
  std::vector<CorpusPiece> pieces;
  // The keys of each stage's results, derived from the other members.
  std::string format_key;
  std::string shard_key;
  std::vector<std::string> instance_keys;  // one per phase, or that of the set of sequences

  // "piece_00012"
  static std::string piece_name(std::size_t piece);
  // Distinguishes this plan's results from another's.
  const std::string& key() const { return instance_keys.front(); }

  Json to_json() const;
  // Throws FormatError.
  static ArrayPlan from_json(const Json& json, const std::filesystem::path& work);

  // Fills in the keys; the models must be loaded.
  void derive_keys();
  // Throws FormatError if the models of `run`, which loads them, would give other bytes than those of the plan.
  void require_keys(const RunPlan& with_models) const;
};

// Everything that decides bytes, as text. `inputs` are the paths or the dataset's name as given; `options` those before
// models and datasets are resolved.
std::string array_request(std::span<const std::string> inputs, const SourceOptions& source, const WikiOptions& wiki,
                          const PipelineOptions& options);

// The plan in `file`, WORK/array/JOB/plan.json. If there is none, throws FormatError, which says how to make it.
ArrayPlan load_plan(const std::filesystem::path& file);

}  // namespace bertprep
