#include "trainer/kernels.h"

#include <array>
#include <bit>
#include <cmath>

#include "trainer/counter_random.h"

// Sanitizers start later than the choice of a clone does.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define BERTPREP_CLONES __attribute__((target_clones("arch=skylake-avx512", "arch=haswell", "default")))
#else
#define BERTPREP_CLONES
#endif

namespace bertprep {
namespace {

// So many partial sums are kept side by side, in a fixed order: the result is the same at every level.
constexpr std::int64_t kLanes = 16;

// e^x for x <= 0 within 2 units in the last place (polynomial of Cephes), without a branch.
inline float exp_negative(float x) {
  x = x < -87.0F ? -87.0F : x;
  float n = std::floor(x * 1.44269504088896341F + 0.5F);
  n = n >= -127.0F ? n : -127.0F;  // not a number stays one by r
  const float r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
  float p = 1.9875691500e-4F;
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * r * r + r + 1.0F;
  return p * std::bit_cast<float>((static_cast<std::int32_t>(n) + 127) << 23);
}

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

namespace {

inline __attribute__((always_inline)) float largest_of(const float* values, std::int64_t count) {
  std::array<float, kLanes> lanes;
  lanes.fill(values[0]);
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::int64_t k = 0; k < kLanes; ++k) {
      const auto lane = static_cast<std::size_t>(k);
      lanes[lane] = values[i + k] > lanes[lane] ? values[i + k] : lanes[lane];
    }
  }
  float largest = lanes[0];
  for (const float lane : lanes) largest = lane > largest ? lane : largest;
  for (; i < count; ++i) largest = values[i] > largest ? values[i] : largest;
  return largest;
}

std::int64_t index_of(const float* values, std::int64_t count, float value) {
  for (std::int64_t i = 0; i < count; ++i) {
    if (values[i] == value) return i;
  }
  return 0;  // not a number anywhere: the loss says so
}

}  // namespace

BERTPREP_CLONES
RowLoss softmax_loss_row(float* logits, std::int64_t classes, std::int64_t label, float scale) {
  const float largest = largest_of(logits, classes);
  const float label_logit = logits[label];
  const std::int64_t predicted = index_of(logits, classes, largest);
  std::array<float, kLanes> lanes{};
  std::int64_t i = 0;
  for (; i + kLanes <= classes; i += kLanes) {
    for (std::int64_t k = 0; k < kLanes; ++k) {
      const float e = exp_negative(logits[i + k] - largest);
      logits[i + k] = e;
      lanes[static_cast<std::size_t>(k)] += e;
    }
  }
  double sum = total(lanes);
  for (; i < classes; ++i) {
    logits[i] = exp_negative(logits[i] - largest);
    sum += static_cast<double>(logits[i]);
  }
  const float factor = scale / static_cast<float>(sum);
  for (i = 0; i < classes; ++i) logits[i] *= factor;
  logits[label] -= scale;
  return {std::log(sum) - static_cast<double>(label_logit - largest), predicted};
}

BERTPREP_CLONES
RowLoss softmax_loss_row_only(const float* logits, std::int64_t classes, std::int64_t label) {
  const float largest = largest_of(logits, classes);
  std::array<float, kLanes> lanes{};
  std::int64_t i = 0;
  for (; i + kLanes <= classes; i += kLanes) {
    for (std::int64_t k = 0; k < kLanes; ++k) {
      lanes[static_cast<std::size_t>(k)] += exp_negative(logits[i + k] - largest);
    }
  }
  double sum = total(lanes);
  for (; i < classes; ++i) sum += static_cast<double>(exp_negative(logits[i] - largest));
  return {std::log(sum) - static_cast<double>(logits[label] - largest), index_of(logits, classes, largest)};
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
