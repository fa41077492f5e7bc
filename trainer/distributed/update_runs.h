// Update runs: the values of all parameters divided into runs, the units in which an optimizer step computes, sums
// norms, and is distributed over processes.
//
// The division depends only on the parameters and the kind of norms, and norms are summed in the order of the runs, so
// they have the same bits for any number of processes.
#pragma once

#include <cstdint>
#include <vector>

namespace bertprep {

struct TensorSize {
  std::int64_t values = 0;
  bool decays = true;
};

struct UpdateRun {
  std::uint32_t tensor = 0;
  std::int64_t begin = 0, count = 0;  // values of the tensor
  std::uint32_t norm_group = 0;       // its trust ratio is computed over all runs with this number
};

// Norms tensor by tensor. For norms per tensor. Runs have `most` values; the last of a tensor may have fewer. Sorted by
// tensor and begin.
std::vector<UpdateRun> runs_by_tensor(const std::vector<TensorSize>& tensors, std::int64_t most);

// For norms over flat partitions, as DeepSpeed's ZeRO divides the optimizer's work for `processes`: the tensors with
// decay are concatenated and padded to a multiple of 2 x processes values, and every process gets an equal part;
// likewise those without. A run is within one part; the tensors' runs are sorted as above.
std::vector<UpdateRun> runs_by_partition(const std::vector<TensorSize>& tensors, std::int64_t processes,
                                         std::int64_t most);

// One more than the largest norm group.
std::uint32_t norm_groups(const std::vector<UpdateRun>& runs);

}  // namespace bertprep
