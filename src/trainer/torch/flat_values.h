// Collective work on a flat array of tensor values (trainer/gradient_buckets.h).
//
// Values in the memory of the machine are exchanged when the call returns. Those of a GPU are queued (DeviceGroup): the
// default stream does not wait for them before join().
#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "bertprep/trainer/process_group.h"
#include "trainer/distributed/device_group.h"
#include "trainer/distributed/gradient_buckets.h"

namespace bertprep {

// Who exchanges values: the processes, or, where it is set, their GPUs directly. Both must outlive who is given it.
struct Peers {
  ProcessGroup* processes = nullptr;
  DeviceGroup* devices = nullptr;
};

// The own part of `values`, which are cut into `parts`, becomes the sum of all processes'.
void reduce_values(const Peers& peers, at::Tensor& values, const std::vector<std::size_t>& parts);
// The own part of the bucket becomes the sum of all processes'; with `whole` the others' parts, too.
void reduce_bucket(const Peers& peers, at::Tensor& values, const GradientBucket& bucket, bool whole);
// All get the parts of all, in every bucket. Joined.
void gather_buckets(const Peers& peers, at::Tensor& values, const std::vector<GradientBucket>& buckets);
// All get what process 0 has, when the call returns.
void broadcast_values(const Peers& peers, at::Tensor& values);

}  // namespace bertprep
