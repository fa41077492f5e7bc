#include "trainer/torch/tensor_math.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <limits>

namespace bertprep {
namespace {

constexpr std::int64_t kRunValues = 32768;

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

double generic_squares(const at::Tensor& values) {
  return values.to(at::kDouble).square().sum().item<double>();
}

// Brings the moments up to date and returns the divisor sqrt(v c2) + eps.
at::Tensor generic_moments(const at::Tensor& grad, at::Tensor& m, at::Tensor& v, const MomentStep& step) {
  m.mul_(step.beta1).add_(grad, step.share1);
  v.mul_(step.beta2).addcmul_(grad, grad, step.share2);
  return (v * step.correction2).sqrt_().add_(step.epsilon);
}

}  // namespace

std::int64_t run_values(const at::Device& device) {
  return device.is_cpu() ? kRunValues : std::numeric_limits<std::int64_t>::max();
}

void squares(const at::Tensor& values, std::span<double> sums) {
  if (!values.is_cpu()) {
    sums[0] = generic_squares(values);
    return;
  }
  const float* data = values.data_ptr<float>();
  over_runs(values.numel(), [&](std::size_t run, std::int64_t begin, std::int64_t count) {
    sums[run] = sum_of_squares(data + begin, count);
  });
}

void make_lamb_direction(at::Tensor& grad, at::Tensor& m, at::Tensor& v, const at::Tensor& w, const MomentStep& step,
                         std::span<UpdateNorms> norms) {
  if (!w.is_cpu()) {
    grad.mul_(step.grad_scale);
    const at::Tensor divisor = generic_moments(grad, m, v, step);
    grad.copy_((m * step.correction1).div_(divisor).add_(w, step.decay));
    norms[0] = {generic_squares(grad), 0, generic_squares(w)};
    return;
  }
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
  if (!w.is_cpu()) {
    grad.mul_(step.grad_scale);
    const at::Tensor divisor = generic_moments(grad, m, v, step);
    second.copy_(grad.div(divisor).add_(w, step.decay));
    grad.copy_((m * step.correction1).div_(divisor).add_(w, step.decay));
    norms[0] = {generic_squares(grad), generic_squares(second), generic_squares(w)};
    return;
  }
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
  if (!w.is_cpu()) {
    w.sub_(u, rate);
    return;
  }
  float* const weight = w.data_ptr<float>();
  const float* const direction = u.data_ptr<float>();
  over_runs(w.numel(), [&](std::size_t, std::int64_t begin, std::int64_t count) {
    subtract_scaled(weight + begin, direction + begin, count, static_cast<float>(rate));
  });
}

void do_adamw_step(at::Tensor& w, const at::Tensor& grad, at::Tensor& m, at::Tensor& v, const MomentStep& step,
                   double lr) {
  if (!w.is_cpu()) {
    const at::Tensor scaled = grad * step.grad_scale;
    const at::Tensor divisor = generic_moments(scaled, m, v, step);
    w.mul_(1 - lr * step.decay).addcdiv_(m, divisor, -lr * step.correction1);
    return;
  }
  float* const weight = w.data_ptr<float>();
  const float* const g = grad.data_ptr<float>();
  float* const m_data = m.data_ptr<float>();
  float* const v_data = v.data_ptr<float>();
  over_runs(w.numel(), [&](std::size_t, std::int64_t begin, std::int64_t count) {
    adamw_step(weight + begin, g + begin, m_data + begin, v_data + begin, count, step, static_cast<float>(lr));
  });
}

}  // namespace bertprep
