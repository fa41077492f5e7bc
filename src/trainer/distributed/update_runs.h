// Update runs: the values of all parameters cut into runs, the unit in which an optimizer step is done, its norms are
// added up, and its work is shared among processes.
//
// The cuts depend on the parameters and the kind of norms alone, and norms are added up in the order of the runs: so
// they have the same bits however many processes share the work.
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
  std::uint32_t norm_group = 0;       // its trust ratio is taken over all runs with this number
};

// Norms tensor by tensor. Runs have `most` values; the last of a tensor may have fewer. Sorted by tensor and begin.
std::vector<UpdateRun> runs_by_tensor(const std::vector<TensorSize>& tensors, std::int64_t most);

// Norms over a flat partition, as DeepSpeed's ZeRO cuts the optimizer's work for `processes`: the tensors with decay
// lie behind each other, padded to a multiple of 2 x processes values, and every process gets an equal part; so do
// those without. A run lies in one part; the tensors' runs are sorted as above.
std::vector<UpdateRun> runs_by_partition(const std::vector<TensorSize>& tensors, std::int64_t processes,
                                         std::int64_t most);

// One more than the largest norm group.
std::uint32_t norm_groups(const std::vector<UpdateRun>& runs);

}  // namespace bertprep
