#include "io/digest.h"
#include "pipeline/array/array_work.h"
#include "pipeline/records/owned_files.h"
#include "pipeline/sequences/sequence_model.h"
#include "pipeline/work/workers.h"

namespace bertprep {

namespace fs = std::filesystem;

// The text shards are written first, as the parts are made from files; those that are not kept only for this call.
StageReport make_array_sequences(const ArrayState& state, std::span<const std::size_t> shards, Progress& progress) {
  require_stage(state, ArrayStage::kShard);
  const bool keeps_text = keeps(state.options.work, "sharded");
  const AssignmentFile assignment = open_assignment(state);
  SequenceTask task = begun_sequences(state.options);
  task.folder = state.run.sequences;
  task.inputs = text_shard_paths(keeps_text ? state.run.text_shards : state.layout.shard, state.options);
  SequenceShare share{.text_shards = {}, .known = {}, .plan_key = state.plan.key()};
  for (const std::size_t shard : shards) {
    stop_if_cancelled(progress);
    const std::string text = assemble_text_shard(state, shard, assignment, progress);
    write_text_shard(text, state, task.inputs[shard]);
    share.text_shards.push_back(shard);
    share.known.push_back({text.size(), sha256_of(text, progress), xxh3_of(text)});
  }
  StageReport report = make_sequences(task, *state.plan.goal->sequences(), state.options, progress, &share).stage;
  report.stage = name_of(ArrayStage::kInstances);
  for (const std::size_t shard : shards) {
    std::error_code ignored;
    if (!keeps_text) fs::remove(task.inputs[shard], ignored);
  }
  return report;
}

}  // namespace bertprep
