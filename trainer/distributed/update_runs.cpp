#include "trainer/distributed/update_runs.h"

#include <algorithm>
#include <array>

namespace bertprep {
namespace {

// DeepSpeed's nccl_start_alignment_factor.
constexpr std::int64_t kPartitionAlignment = 2;

void add_runs(std::vector<UpdateRun>& runs, UpdateRun part, std::int64_t most) {
  const std::int64_t end = part.begin + part.count;
  for (; part.begin < end; part.begin += part.count) {
    part.count = std::min(most, end - part.begin);
    runs.push_back(part);
  }
}

std::int64_t partition_values(const std::vector<TensorSize>& tensors, bool decays, std::int64_t processes) {
  std::int64_t sum = 0;
  for (const TensorSize& tensor : tensors) sum += tensor.decays == decays ? tensor.values : 0;
  const std::int64_t multiple = kPartitionAlignment * processes;
  return (sum + multiple - 1) / multiple * kPartitionAlignment;
}

}  // namespace

std::vector<UpdateRun> runs_by_tensor(const std::vector<TensorSize>& tensors, std::int64_t most) {
  std::vector<UpdateRun> runs;
  for (std::uint32_t i = 0; i < tensors.size(); ++i) add_runs(runs, {i, 0, tensors[i].values, i}, most);
  return runs;
}

std::vector<UpdateRun> runs_by_partition(const std::vector<TensorSize>& tensors, std::int64_t processes,
                                         std::int64_t most) {
  // With decay, without.
  const std::array<std::int64_t, 2> length{partition_values(tensors, true, processes),
                                           partition_values(tensors, false, processes)};
  std::array<std::int64_t, 2> place{};
  std::vector<UpdateRun> runs;
  for (std::uint32_t i = 0; i < tensors.size(); ++i) {
    const std::size_t kind = tensors[i].decays ? 0 : 1;
    for (std::int64_t begin = 0; begin < tensors[i].values;) {
      const std::int64_t part = place[kind] / length[kind];
      const std::int64_t count = std::min(tensors[i].values - begin, (part + 1) * length[kind] - place[kind]);
      const auto group = static_cast<std::uint32_t>(static_cast<std::int64_t>(kind) * processes + part);
      add_runs(runs, {i, begin, count, group}, most);
      begin += count;
      place[kind] += count;
    }
  }
  return runs;
}

std::uint32_t norm_groups(const std::vector<UpdateRun>& runs) {
  std::uint32_t groups = 0;
  for (const UpdateRun& run : runs) groups = std::max(groups, run.norm_group + 1);
  return groups;
}

}  // namespace bertprep
