// Collective operations on a flat array of tensor values (distributed/gradient_buckets.h).
//
// Exchanges in host memory are complete when the call returns. Those in GPU memory are queued (DeviceGroup): the
// default stream waits for them only after join().
#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "bertprep/trainer/process_group.h"
#include "trainer/distributed/device_group.h"
#include "trainer/distributed/gradient_buckets.h"

namespace bertprep {

// The partners of an exchange: the processes or, if set, their GPUs directly. Both must outlive users of this struct.
struct Peers {
  ProcessGroup* processes = nullptr;
  DeviceGroup* devices = nullptr;
};

// This process's part of `values`, which are divided into `parts`, becomes the sum over all processes.
void reduce_values(const Peers& peers, at::Tensor& values, const std::vector<std::size_t>& parts);
// This process's part of the bucket becomes the sum over all processes; with `whole`, the other parts, too.
void reduce_bucket(const Peers& peers, at::Tensor& values, const GradientBucket& bucket, bool whole);
// All processes get the parts of all, in every bucket. Joined.
void gather_buckets(const Peers& peers, at::Tensor& values, const std::vector<GradientBucket>& buckets);
// All processes have the values of process 0 when the call returns.
void broadcast_values(const Peers& peers, at::Tensor& values);

}  // namespace bertprep
