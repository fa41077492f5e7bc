#include "trainer/kernels.h"

#include <array>
#include <cmath>

#include "base/clones.h"
#include "trainer/counter_random.h"

namespace bertprep {
namespace {

// This many partial sums are kept side by side, in a fixed order: the result is the same at every processor level.
constexpr std::int64_t kLanes = 16;

template <class T>
double total(const std::array<T, kLanes>& lanes) {
  double sum = 0;
  for (const T lane : lanes) sum += static_cast<double>(lane);
  return sum;
}

}  // namespace

BERTPREP_CLONES
void dropout_values(const float* in, float* out, std::int64_t count, std::int64_t first, double p, std::uint64_t key) {
  const auto threshold = static_cast<std::uint32_t>(p * 4294967296.0);
  const auto scale = static_cast<float>(1 / (1 - p));
  const auto base = static_cast<std::uint32_t>(first);
  for (std::int64_t i = 0; i < count; ++i) {
    const float kept = element_bits(key, base + static_cast<std::uint32_t>(i)) >= threshold ? scale : 0.0F;
    out[i] = in[i] * kept;
  }
}

BERTPREP_CLONES
void add_values(float* values, const float* added, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) values[i] += added[i];
}

BERTPREP_CLONES
void round_to_bf16(const float* in, float* out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const auto bits = __builtin_bit_cast(std::uint32_t, in[i]);
    const std::uint32_t rounded = (bits + 0x7FFFU + ((bits >> 16) & 1U)) & 0xFFFF0000U;
    // Rounding up could turn a NaN into infinity or zero.
    const bool is_number = (bits & 0x7FFFFFFFU) <= 0x7F800000U;
    out[i] = __builtin_bit_cast(float, is_number ? rounded : bits | 0x00400000U);
  }
}

BERTPREP_CLONES
double sum_of_squares(const float* values, std::int64_t count) {
  std::array<double, kLanes> lanes{};
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::int64_t k = 0; k < kLanes; ++k) {
      const auto value = static_cast<double>(values[i + k]);
      lanes[static_cast<std::size_t>(k)] += value * value;
    }
  }
  double sum = total(lanes);
  for (; i < count; ++i) sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
  return sum;
}

BERTPREP_CLONES
UpdateNorms lamb_direction(float* grad, float* m, float* v, const float* w, std::int64_t count,
                           const MomentStep& step) {
  const MomentStep s = step;
  for (std::int64_t i = 0; i < count; ++i) {
    const float g = grad[i] * s.grad_scale;
    m[i] = s.beta1 * m[i] + s.share1 * g;
    v[i] = s.beta2 * v[i] + s.share2 * g * g;
    grad[i] = m[i] * s.correction1 / (std::sqrt(v[i] * s.correction2) + s.epsilon) + s.decay * w[i];
  }
  return {sum_of_squares(grad, count), 0, sum_of_squares(w, count)};
}

BERTPREP_CLONES
UpdateNorms lans_direction(float* grad, float* m, float* v, const float* w, float* second, std::int64_t count,
                           const MomentStep& step) {
  const MomentStep s = step;
  for (std::int64_t i = 0; i < count; ++i) {
    const float g = grad[i] * s.grad_scale;
    m[i] = s.beta1 * m[i] + s.share1 * g;
    v[i] = s.beta2 * v[i] + s.share2 * g * g;
    const float divisor = std::sqrt(v[i] * s.correction2) + s.epsilon;
    grad[i] = m[i] * s.correction1 / divisor + s.decay * w[i];
    second[i] = g / divisor + s.decay * w[i];
  }
  return {sum_of_squares(grad, count), sum_of_squares(second, count), sum_of_squares(w, count)};
}

BERTPREP_CLONES
void subtract_scaled(float* w, const float* u, std::int64_t count, float rate) {
  for (std::int64_t i = 0; i < count; ++i) w[i] -= rate * u[i];
}

BERTPREP_CLONES
void adamw_step(float* w, const float* grad, float* m, float* v, std::int64_t count, const MomentStep& step, float lr) {
  const MomentStep s = step;
  for (std::int64_t i = 0; i < count; ++i) {
    const float g = grad[i] * s.grad_scale;
    m[i] = s.beta1 * m[i] + s.share1 * g;
    v[i] = s.beta2 * v[i] + s.share2 * g * g;
    const float kept = w[i] - lr * s.decay * w[i];
    w[i] = kept - lr * m[i] * s.correction1 / (std::sqrt(v[i] * s.correction2) + s.epsilon);
  }
}

}  // namespace bertprep
