#include "trainer/torch/flat_values.h"

#include <span>

namespace bertprep {
namespace {

std::span<float> span_of(at::Tensor& values, const GradientBucket& bucket) {
  return std::span(values.data_ptr<float>() + bucket.begin, bucket.count);
}

}  // namespace

void reduce_values(const Peers& peers, at::Tensor& values, const std::vector<std::size_t>& parts) {
  float* const first = values.data_ptr<float>();
  if (peers.devices != nullptr) {
    peers.devices->reduce_scatter(first, parts);
  } else {
    peers.processes->reduce_scatter(std::span(first, static_cast<std::size_t>(values.numel())), parts);
  }
}

void reduce_bucket(const Peers& peers, at::Tensor& values, const GradientBucket& bucket, bool whole) {
  const std::span<float> span = span_of(values, bucket);
  if (peers.devices == nullptr) {
    peers.processes->reduce_scatter(span, bucket.parts);
    if (whole) peers.processes->all_gather(span, bucket.parts);
  } else if (whole) {
    peers.devices->all_reduce(span.data(), span.data(), span.size());
  } else {
    peers.devices->reduce_scatter(span.data(), bucket.parts);
  }
}

void gather_buckets(const Peers& peers, at::Tensor& values, const std::vector<GradientBucket>& buckets) {
  for (const GradientBucket& bucket : buckets) {
    const std::span<float> span = span_of(values, bucket);
    if (peers.devices != nullptr) {
      peers.devices->all_gather(span.data(), bucket.parts);
    } else {
      peers.processes->all_gather(span, bucket.parts);
    }
  }
  if (peers.devices != nullptr) peers.devices->join();
}

void broadcast_values(const Peers& peers, at::Tensor& values) {
  if (peers.processes->size() == 1) return;
  const std::span<float> all(values.data_ptr<float>(), static_cast<std::size_t>(values.numel()));
  if (peers.devices == nullptr) {
    peers.processes->broadcast(std::as_writable_bytes(all));
    return;
  }
  peers.devices->broadcast(all.data(), all.size());
  peers.devices->join();
  peers.devices->wait();
}

}  // namespace bertprep
