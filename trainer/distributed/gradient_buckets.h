// Gradient buckets: the units in which gradients are exchanged, in the order of the backward pass.
//
// The gradients are in one array. A bucket is a span of it, divided into one part per process: the part that the
// process sums and, with ZeRO, whose optimizer step it does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "trainer/distributed/update_runs.h"

namespace bertprep {

// Where the values of each tensor begin in the array, which is in the order of `backward_order` (each tensor's number
// once). Tensors begin at multiples of 16 values, for vector instructions; gaps are unused.
struct FlatPlaces {
  std::vector<std::int64_t> begins;  // of each tensor
  std::int64_t values = 0;           // of the whole array
};
FlatPlaces flat_places(const std::vector<TensorSize>& tensors, const std::vector<std::uint32_t>& backward_order);

struct GradientBucket {
  std::size_t begin = 0, count = 0;    // values of the array
  std::vector<std::size_t> parts;      // values of each rank; they add up to `count`
  std::vector<std::uint32_t> tensors;  // that have values in it
};

struct BucketPlan {
  std::vector<GradientBucket> buckets;    // in the order of the array
  std::vector<std::uint32_t> run_owners;  // the rank of each run
};

// Buckets have about `bucket_values` values, at least one run. Parts end between runs.
BucketPlan plan_buckets(const std::vector<UpdateRun>& runs, const FlatPlaces& places, std::size_t processes,
                        std::int64_t bucket_values);

}  // namespace bertprep
