#include "pipeline/plan/plan_steps.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "io/file_system.h"
#include "pipeline/records/owned_files.h"
#include "pipeline/sequences/sequences.h"
#include "pipeline/stages/memory_plan.h"
#include "pipeline/work/workers.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr double kMegabyte = 1e6;
// The largest text shard relative to the mean of its kind: the assignment balances sentences, not bytes.
constexpr double kFullestShard = 1.1;
// The base memory of every process (memory_plan.cpp).
constexpr std::uint64_t kFixedMemoryBytes = std::uint64_t{64} << 20;

std::string megabytes(std::uint64_t bytes) {
  const auto whole = static_cast<std::uint64_t>(std::ceil(static_cast<double>(bytes) / kMegabyte));
  return whole < 10'000 ? std::to_string(whole) + " MB" : std::to_string((whole + 999) / 1000) + " GB";
}

fs::path existing_folder(const fs::path& folder) {
  fs::path at = fs::absolute(folder).lexically_normal();
  while (!fs::exists(at) && at.has_relative_path()) at = at.parent_path();
  return at;
}

void add_memory(const PipelineOptions& options, Plan& plan) {
  const auto share = [&](std::int64_t shards, double fraction) {
    return static_cast<double>(plan.text_shard_bytes) * fraction / static_cast<double>(shards);
  };
  const double fraction = options.sharding.test_fraction;
  const double mean =
      std::max(share(options.sharding.train_shards, 1 - fraction), share(options.sharding.test_shards, fraction));
  plan.largest_text_shard_bytes = static_cast<std::uint64_t>(mean * kFullestShard);
  std::uint64_t one = 0;
  for (const InstanceOptions& phase : options.phases()) {
    one = std::max(one, shard_memory_bytes(plan.largest_text_shard_bytes, phase));
  }
  if (options.sequences != nullptr) {
    const SequenceOptions sequences = resolve_sequences(options.sequences->options);
    one = sequence_memory_bytes(plan.largest_text_shard_bytes, sequences, sequence_id_bytes(sequences.ids));
  }
  plan.threads = resolve_threads(static_cast<std::size_t>(options.work.threads));
  plan.memory_allowed = memory_bytes(options.work.memory);
  plan.memory_of_one_thread = kFixedMemoryBytes + one;
  plan.memory_of_all_threads =
      kFixedMemoryBytes + one * std::min(plan.threads, std::max<std::uint64_t>(1, plan.shards));
  if (plan.memory_of_one_thread > plan.memory_allowed) {
    const double factor = static_cast<double>(plan.memory_of_one_thread) / static_cast<double>(plan.memory_allowed);
    plan.warnings.push_back(
        "not even one thread fits in `memory`: a text shard of " + megabytes(plan.largest_text_shard_bytes) +
        " needs " + megabytes(plan.memory_of_one_thread) + "; give more, or make about " +
        std::to_string(static_cast<std::uint64_t>(std::ceil(factor * 1.5))) + " times as many text shards");
    return;
  }
  plan.threads_within_memory = threads_within(plan.memory_allowed, one, plan.threads);
  if (plan.threads_within_memory < plan.threads) {
    plan.warnings.push_back("only " + counted_of(plan.threads_within_memory, plan.threads, "thread", "fits", "fit") +
                            " in `memory`; all need " + megabytes(plan.memory_of_all_threads) +
                            ", or more text shards");
  }
}

PlannedDisk work_disk(const BuildFolders& folders, const PipelineOptions& options, std::uint64_t index_bytes,
                      std::uint64_t shard_bytes_here, const Plan& plan) {
  PlannedDisk disk{.folder = work_folder(folders)};
  const std::uint64_t downloads = plan.download_bytes;
  const std::uint64_t while_sharding = downloads + plan.formatted_bytes + index_bytes + plan.text_shard_bytes;
  disk.peak_bytes = std::max(while_sharding, while_sharding - index_bytes + shard_bytes_here);
  disk.kept_bytes = downloads + shard_bytes_here + (keeps(options.work, "formatted") ? plan.formatted_bytes : 0) +
                    (keeps(options.work, "sharded") ? plan.text_shard_bytes : 0);
  return disk;
}

void add_disks(const BuildFolders& folders, const PipelineOptions& options, std::uint64_t index_bytes, Plan& plan) {
  std::uint64_t shard_bytes = 0;
  for (const PlannedPhase& phase : plan.phases) shard_bytes += phase.bytes;
  const fs::path work = existing_folder(work_folder(folders));
  const fs::path output = existing_folder(folders.output);
  if (on_one_file_system(work, output)) {
    plan.disks.push_back(work_disk(folders, options, index_bytes, shard_bytes, plan));
  } else {
    plan.disks.push_back(work_disk(folders, options, index_bytes, 0, plan));
    plan.disks.push_back({.folder = folders.output, .peak_bytes = shard_bytes, .kept_bytes = shard_bytes});
  }
  for (PlannedDisk& disk : plan.disks) {
    std::error_code error;
    disk.free_bytes = fs::space(existing_folder(disk.folder), error).available;
    if (error) disk.free_bytes = 0;
    if (disk.free_bytes < disk.peak_bytes) {
      plan.warnings.push_back("too little space on the disk of " + disk.folder.string() + ": " +
                              megabytes(disk.peak_bytes) + " are needed, " + megabytes(disk.free_bytes) + " are free");
    }
  }
}

void check_articles(const PipelineOptions& options, Plan& plan) {
  const auto shards = static_cast<std::uint64_t>(options.sharding.train_shards + options.sharding.test_shards);
  if (plan.articles >= shards) return;
  plan.warnings.push_back("about " + counted(plan.articles, "article") + " can't fill " + grouped(shards) +
                          " text shards with one article each; ask for fewer with `train_shards` and `test_shards`");
}

}  // namespace

void add_needs(const BuildFolders& folders, const PipelineOptions& options, std::uint64_t index_bytes, Plan& plan) {
  add_memory(options, plan);
  add_disks(folders, options, index_bytes, plan);
  check_articles(options, plan);
}

}  // namespace bertprep
