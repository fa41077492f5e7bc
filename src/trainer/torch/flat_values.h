// Collective work on a flat array of tensor values (trainer/gradient_buckets.h). What lies on another device goes
// through the memory of the machine.
#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "bertprep/trainer/process_group.h"
#include "trainer/gradient_buckets.h"

namespace bertprep {

// The own part of the bucket becomes the sum of all processes'; with `whole` the others' parts, too.
void reduce_bucket(ProcessGroup& processes, at::Tensor& values, const GradientBucket& bucket, bool whole);
// All get the parts of all, in every bucket.
void gather_buckets(ProcessGroup& processes, at::Tensor& values, const std::vector<GradientBucket>& buckets);
// All get what process 0 has.
void broadcast_values(ProcessGroup& processes, at::Tensor& values);

}  // namespace bertprep
