#include <algorithm>
#include <mutex>

#include "bertprep/base/error.h"
#include "io/output_file.h"
#include "pipeline/array/array_work.h"
#include "pipeline/records/dataset_vocab.h"
#include "pipeline/records/owned_files.h"
#include "pipeline/records/recipe.h"
#include "pipeline/stages/memory_plan.h"
#include "pipeline/stages/shard_task.h"
#include "pipeline/text_shards/assignment_file.h"
#include "pipeline/work/serial_progress.h"
#include "pipeline/work/workers.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

std::vector<OpenPhase> open_phases(const ArrayState& state, const Vocab& vocab) {
  std::vector<OpenPhase> phases;
  for (std::size_t i = 0; i < state.run.phases.size(); ++i) {
    const InstancePhase& phase = state.run.phases[i];
    phases.push_back({phase.options, OutputFolder::shared(phase.folder),
                      instance_recipe(phase.options, state.options, vocab), state.plan.instance_keys[i]});
  }
  return phases;
}

std::size_t plan_threads(const ArrayState& state, std::span<const std::size_t> shards,
                         const AssignmentFile& assignment) {
  std::uint64_t largest = 0;
  for (const std::size_t shard : shards) {
    for (const InstancePhase& phase : state.run.phases) {
      // The text is in memory, and briefly a part of it twice.
      const std::uint64_t text_bytes = assignment.shard_bytes(shard);
      largest = std::max(largest, shard_memory_bytes(text_bytes, phase.options) + text_bytes);
    }
  }
  return threads_within(memory_bytes(state.options.work.memory), largest,
                        resolve_threads(static_cast<std::size_t>(state.options.work.threads)));
}

}  // namespace

// Equal attempts write equal bytes: so the last rename is right. Likewise for other jobs with the same text, which may
// finish and tidy up before this one; so the unfinished file is with this job's passing data, in a hidden folder.
void write_text_shard(const std::string& text, const ArrayState& state, const fs::path& path) {
  PendingFile pending = OutputFolder::shared(state.layout.shard).begin_for(path);
  OutputFile file(pending.path());
  file.write(text);
  file.finish();
  pending.publish();
}

StageReport make_array_shards(const ArrayState& state, std::span<const std::size_t> shards, Progress& observer) {
  require_stage(state, ArrayStage::kShard);
  SerialProgress progress(observer);
  const PipelineOptions& options = state.options;
  const Vocab& vocab = *state.plan.goal->rows();
  const std::vector<OpenPhase> phases = open_phases(state, vocab);
  const AssignmentFile assignment = open_assignment(state);
  const bool keeps_text = keeps(options.work, "sharded");

  // Before any shard, so that their records are newer.
  for (const OpenPhase& phase : phases) put_vocab(phase.folder, vocab, progress);
  const Tokenizer tokenizer(vocab, options.tokenizer);
  ShardWorkers workers(vocab, tokenizer, state.options.tokenizer);
  CommitQueue commits;
  const ShardMaker maker(vocab, workers, options.layout, commits, false);
  ShardCounts total;
  std::mutex total_mutex;
  progress.begin("instances", shards.size(), "text shards");
  for_each_task(shards.size(), plan_threads(state, shards, assignment), progress, [&](std::size_t i) {
    const std::string name = shard_name(state.options, shards[i]);
    const std::string text = assemble_text_shard(state, shards[i], assignment, progress);
    if (keeps_text) write_text_shard(text, state, state.run.text_shards / (name + ".txt"));
    const ShardCounts counts = maker.make({name + ".txt", {}, {}, text}, phases, progress);
    const std::lock_guard lock(total_mutex);
    total += counts;
    progress.advance(1);
  });
  commits.commit_all();
  progress.end();

  return report_of(total);
}

}  // namespace bertprep
