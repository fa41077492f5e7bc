#include "trainer/torch/tensor_math.h"

#include <ATen/Parallel.h>

#include <algorithm>

namespace bertprep {
namespace {

constexpr std::int64_t kRunValues = 32768;
// Longer runs mean fewer of them; shorter ones are distributed more evenly.
constexpr std::int64_t kDeviceRunValues = std::int64_t{1} << 20;

// Calls work(run, begin, count) for runs of at most kRunValues values, in all threads.
template <class Work>
void over_runs(std::int64_t count, Work work) {
  const std::int64_t runs = (count + kRunValues - 1) / kRunValues;
  at::parallel_for(0, runs, 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t run = first; run < last; ++run) {
      const std::int64_t begin = run * kRunValues;
      work(static_cast<std::size_t>(run), begin, std::min(kRunValues, count - begin));
    }
  });
}

}  // namespace

std::int64_t run_values(const at::Device& device, std::size_t processes) {
  if (device.is_cpu()) return kRunValues;
  return std::max(kRunValues, kDeviceRunValues / static_cast<std::int64_t>(processes));
}

void squares(const at::Tensor& values, std::span<double> sums) {
  const float* data = values.data_ptr<float>();
  over_runs(values.numel(), [&](std::size_t run, std::int64_t begin, std::int64_t count) {
    sums[run] = sum_of_squares(data + begin, count);
  });
}

void make_lamb_direction(at::Tensor& grad, at::Tensor& m, at::Tensor& v, const at::Tensor& w, const MomentStep& step,
                         std::span<UpdateNorms> norms) {
  float* const g = grad.data_ptr<float>();
  float* const first = m.data_ptr<float>();
  float* const second = v.data_ptr<float>();
  const float* const weight = w.data_ptr<float>();
  over_runs(w.numel(), [&](std::size_t run, std::int64_t begin, std::int64_t count) {
    norms[run] = lamb_direction(g + begin, first + begin, second + begin, weight + begin, count, step);
  });
}

void make_lans_direction(at::Tensor& grad, at::Tensor& m, at::Tensor& v, const at::Tensor& w, at::Tensor& second,
                         const MomentStep& step, std::span<UpdateNorms> norms) {
  float* const g = grad.data_ptr<float>();
  float* const m_data = m.data_ptr<float>();
  float* const v_data = v.data_ptr<float>();
  float* const c = second.data_ptr<float>();
  const float* const weight = w.data_ptr<float>();
  over_runs(w.numel(), [&](std::size_t run, std::int64_t begin, std::int64_t count) {
    norms[run] = lans_direction(g + begin, m_data + begin, v_data + begin, weight + begin, c + begin, count, step);
  });
}

void subtract(at::Tensor& w, const at::Tensor& u, double rate) {
  float* const weight = w.data_ptr<float>();
  const float* const direction = u.data_ptr<float>();
  over_runs(w.numel(), [&](std::size_t, std::int64_t begin, std::int64_t count) {
    subtract_scaled(weight + begin, direction + begin, count, static_cast<float>(rate));
  });
}

void do_adamw_step(at::Tensor& w, const at::Tensor& grad, at::Tensor& m, at::Tensor& v, const MomentStep& step,
                   double lr) {
  float* const weight = w.data_ptr<float>();
  const float* const g = grad.data_ptr<float>();
  float* const m_data = m.data_ptr<float>();
  float* const v_data = v.data_ptr<float>();
  over_runs(w.numel(), [&](std::size_t, std::int64_t begin, std::int64_t count) {
    adamw_step(weight + begin, g + begin, m_data + begin, v_data + begin, count, step, static_cast<float>(lr));
  });
}

}  // namespace bertprep
