#include "trainer/distributed/gradient_buckets.h"

#include <algorithm>
#include <numeric>

namespace bertprep {
namespace {

constexpr std::int64_t kAlignment = 16;  // values: 64 bytes

struct Places {
  const std::vector<UpdateRun>& runs;
  const FlatPlaces& flat;
  std::vector<std::uint32_t> order;  // runs in the order of the array

  std::int64_t begin(std::size_t i) const {
    if (i == order.size()) return flat.values;
    const UpdateRun& run = runs[order[i]];
    return flat.begins[run.tensor] + run.begin;
  }
};

// Distributes the runs [first, last) over the ranks, with about equal numbers of values.
void share_bucket(const Places& places, std::size_t first, std::size_t last, std::size_t processes, BucketPlan& plan) {
  const std::int64_t begin = places.begin(first);
  const std::int64_t count = places.begin(last) - begin;
  GradientBucket bucket{static_cast<std::size_t>(begin), static_cast<std::size_t>(count), {}, {}};
  bucket.parts.resize(processes);
  for (std::size_t i = first; i < last; ++i) {
    const UpdateRun& run = places.runs[places.order[i]];
    if (bucket.tensors.empty() || bucket.tensors.back() != run.tensor) bucket.tensors.push_back(run.tensor);
    const std::int64_t middle = (places.begin(i) + places.begin(i + 1)) / 2 - begin;
    const auto rank = std::min(processes - 1, static_cast<std::size_t>(middle) * processes /
                                                  static_cast<std::size_t>(std::max<std::int64_t>(1, count)));
    bucket.parts[rank] += static_cast<std::size_t>(places.begin(i + 1) - places.begin(i));
    plan.run_owners[places.order[i]] = static_cast<std::uint32_t>(rank);
  }
  plan.buckets.push_back(std::move(bucket));
}

}  // namespace

FlatPlaces flat_places(const std::vector<TensorSize>& tensors, const std::vector<std::uint32_t>& backward_order) {
  FlatPlaces places;
  places.begins.resize(tensors.size());
  for (const std::uint32_t tensor : backward_order) {
    places.begins[tensor] = places.values;
    places.values += (tensors[tensor].values + kAlignment - 1) / kAlignment * kAlignment;
  }
  return places;
}

BucketPlan plan_buckets(const std::vector<UpdateRun>& runs, const FlatPlaces& flat, std::size_t processes,
                        std::int64_t bucket_values) {
  Places places{runs, flat, std::vector<std::uint32_t>(runs.size())};
  const auto begin_of = [&](std::uint32_t run) { return flat.begins[runs[run].tensor] + runs[run].begin; };
  std::iota(places.order.begin(), places.order.end(), 0U);
  std::sort(places.order.begin(), places.order.end(), [&](auto a, auto b) { return begin_of(a) < begin_of(b); });
  BucketPlan plan;
  plan.run_owners.resize(runs.size());
  for (std::size_t first = 0; first < runs.size();) {
    std::size_t last = first + 1;
    while (last < runs.size() && places.begin(last + 1) - places.begin(first) <= bucket_values) ++last;
    share_bucket(places, first, last, processes, plan);
    first = last;
  }
  return plan;
}

}  // namespace bertprep
