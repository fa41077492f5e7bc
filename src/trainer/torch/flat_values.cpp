#include "trainer/torch/flat_values.h"

#include <span>

namespace bertprep {
namespace {

// Calls work(values of the stretch) in the memory of the machine.
template <class Work>
void in_memory(at::Tensor& values, std::size_t begin, std::size_t count, Work work) {
  const at::NoGradGuard no_gradients;
  at::Tensor stretch = values.narrow(0, static_cast<std::int64_t>(begin), static_cast<std::int64_t>(count));
  at::Tensor here = stretch.to(at::kCPU);
  work(std::span(here.data_ptr<float>(), count));
  if (!values.is_cpu()) stretch.copy_(here);
}

}  // namespace

void reduce_bucket(ProcessGroup& processes, at::Tensor& values, const GradientBucket& bucket, bool whole) {
  in_memory(values, bucket.begin, bucket.count, [&](std::span<float> stretch) {
    processes.reduce_scatter(stretch, bucket.parts);
    if (whole) processes.all_gather(stretch, bucket.parts);
  });
}

void gather_buckets(ProcessGroup& processes, at::Tensor& values, const std::vector<GradientBucket>& buckets) {
  for (const GradientBucket& bucket : buckets) {
    in_memory(values, bucket.begin, bucket.count,
              [&](std::span<float> stretch) { processes.all_gather(stretch, bucket.parts); });
  }
}

void broadcast_values(ProcessGroup& processes, at::Tensor& values) {
  if (processes.size() == 1) return;
  in_memory(values, 0, static_cast<std::size_t>(values.numel()),
            [&](std::span<float> all) { processes.broadcast(std::as_writable_bytes(all)); });
}

}  // namespace bertprep
