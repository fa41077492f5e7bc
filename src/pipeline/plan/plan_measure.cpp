#include "pipeline/plan/plan_steps.h"

#include <algorithm>
#include <cmath>

#include "io/folder.h"
#include "io/state_folder.h"
#include "pipeline/records/input_digest.h"
#include "pipeline/records/record_reader.h"
#include "pipeline/records/run_layout.h"
#include "pipeline/work/stage_clock.h"
#include "pipeline/work/workers.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// Shards per thread: with few, threads are idle at the end, unlike in a run with many shards.
constexpr std::uint64_t kShardsOfAThread = 8;

// Passes on cancellation, but not the sample's progress.
class QuietProgress final : public Progress {
 public:
  explicit QuietProgress(const Progress& observer) : observer_(observer) {}
  bool cancelled() const override { return observer_.cancelled(); }

 private:
  const Progress& observer_;
};

PipelineOptions options_for(const PlanSample& sample, PipelineOptions options) {
  const auto train = static_cast<std::uint64_t>(options.sharding.train_shards);
  const auto test = static_cast<std::uint64_t>(options.sharding.test_shards);
  options.work.force = true;
  options.work.memory = "100%";  // the plan says whether the run fits in its limit
  options.work.keep = "formatted,sharded";
  if (sample.is_complete && train + test <= sample.articles) return options;
  const std::uint64_t threads = resolve_threads(static_cast<std::size_t>(options.work.threads));
  const double scaled = std::round(static_cast<double>(train + test) / sample.scale());
  const std::uint64_t wanted = std::max(static_cast<std::uint64_t>(scaled), kShardsOfAThread * threads);
  const std::uint64_t most = std::min(train + test, std::max<std::uint64_t>(2, sample.articles / 2));
  const std::uint64_t shards = std::clamp<std::uint64_t>(wanted, 2, most);
  const std::uint64_t training = std::clamp<std::uint64_t>(shards * train / (train + test), 1, shards - 1);
  options.sharding.train_shards = static_cast<std::int64_t>(training);
  options.sharding.test_shards = static_cast<std::int64_t>(shards - training);
  return options;
}

// Adds up the run's records.
void add_phases(const RunLayout& layout, Measured& measured) {
  for (const InstancePhase& phase : layout.phases) {
    const RecordedShards shards = sum_shard_records(phase.folder, *find_state_folder(phase.folder), {});
    measured.phases.push_back({shards.rows, shards.bytes});
  }
  if (layout.sequences.empty()) return;
  const RecordedShards parts = sum_sequence_records(layout.sequences, *find_state_folder(layout.sequences), nullptr);
  measured.phases.push_back({parts.rows, parts.bytes});
}

Measured run_once(const PlanSample& sample, const fs::path& folder, const PipelineOptions& options,
                  Progress& progress) {
  remove_tree(folder);
  const BuildFolders folders{folder / "root", folder / "work"};
  const StageClock check_clock;
  digest_files(files_of_corpus(sample.parts), progress);
  const double digest_seconds = check_clock.seconds();
  const auto source = sample.open(task_runner(static_cast<std::size_t>(options.work.threads)));
  const BuildReport report = build(*source, folders, options, progress);

  Measured measured;
  const StageReport& format = report.stages.at(0);
  const StageReport& shard = report.stages.at(1);
  const StageReport& instances = report.stages.at(2);
  measured.articles = format.articles;
  measured.sentences = shard.sentences;
  measured.tokens = instances.tokens;
  measured.formatted_bytes = format.bytes_out;
  measured.text_shard_bytes = shard.bytes_out;
  measured.shards = static_cast<std::uint64_t>(options.sharding.train_shards + options.sharding.test_shards);
  add_phases(layout_of(folders, options), measured);
  // A run with files hashes them while reading; this one reads none.
  measured.check_seconds = digest_seconds;
  measured.format_seconds = format.seconds + digest_seconds;
  measured.shard_seconds = shard.seconds;
  measured.instances_seconds = instances.seconds;
  remove_tree(folder);
  return measured;
}

}  // namespace

Measured measure_sample(const PlanSample& sample, const fs::path& folder, const PipelineOptions& options,
                        Progress& progress) {
  QuietProgress quiet(progress);
  const PipelineOptions small = options_for(sample, options);
  Measured measured = run_once(sample, folder, small, quiet);
  progress.advance(1);
  // The first run also fills caches and grows memory, which a long run does once.
  const Measured again = run_once(sample, folder, small, quiet);
  progress.advance(1);
  measured.check_seconds = std::min(measured.check_seconds, again.check_seconds);
  measured.format_seconds = std::min(measured.format_seconds, again.format_seconds);
  measured.shard_seconds = std::min(measured.shard_seconds, again.shard_seconds);
  measured.instances_seconds = std::min(measured.instances_seconds, again.instances_seconds);
  return measured;
}

}  // namespace bertprep
