#include "trainer/kernels.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/clones.h"

namespace bertprep {
namespace {

// This many partial results are kept side by side, in a fixed order: the result is the same at every processor level.
constexpr std::int64_t kLanes = 16;
using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));
using Words = std::uint32_t __attribute__((vector_size(kLanes * sizeof(std::uint32_t))));
// This many values stay in the L1 cache from one loop to the next.
constexpr std::int64_t kValuesAtOnce = 2048;

// x becomes e^x, for x <= 0, within 2 units in the last place (polynomial of Cephes), and 0 if it is below 2e-38:
// results of smaller numbers would be denormal, and slow.
BERTPREP_INLINE void exp_negative(Lanes& x) {
  // Adding it leaves the nearest integer in the lowest bits.
  const Lanes rounder = Lanes{} + 12582912.0F;
  const Lanes least = Lanes{} - 87.0F;
  const auto vanishes = x < least;
  x = vanishes ? least : x;
  const Lanes rounded = x * 1.44269504088896341F + rounder;
  const Lanes n = rounded - rounder;
  const Lanes r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
  Lanes p = r * 1.9875691500e-4F + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * r * r + r + 1.0F;
  const Words power = __builtin_bit_cast(Words, rounded) - __builtin_bit_cast(Words, rounder) + 127U;
  x = vanishes ? Lanes{} : p * __builtin_bit_cast(Lanes, power << 23U);
}

BERTPREP_INLINE float largest_of(const float* values, std::int64_t count) {
  float largest = values[0];
  std::int64_t i = 0;
  if (count >= kLanes) {
    Lanes lanes;
    std::memcpy(&lanes, values, sizeof lanes);
    for (i = kLanes; i + kLanes <= count; i += kLanes) {
      Lanes next;
      std::memcpy(&next, values + i, sizeof next);
      lanes = next > lanes ? next : lanes;
    }
    for (std::int64_t k = 0; k < kLanes; ++k) largest = lanes[k] > largest ? lanes[k] : largest;
  }
  for (; i < count; ++i) largest = values[i] > largest ? values[i] : largest;
  return largest;
}

struct Largest {
  float value = 0;
  std::int64_t index = 0;  // 0 if there is a NaN: the loss shows it
};

BERTPREP_INLINE Largest find_largest(const float* values, std::int64_t count) {
  Largest largest{values[0], 0};
  std::int64_t place = 0;
  for (std::int64_t begin = 0; begin < count; begin += kValuesAtOnce) {
    const float value = largest_of(values + begin, std::min(kValuesAtOnce, count - begin));
    if (begin > 0 && !(value > largest.value)) continue;
    largest.value = value;
    place = begin;
  }
  for (std::int64_t i = place; i < std::min(place + kValuesAtOnce, count); ++i) {
    if (values[i] != largest.value) continue;
    largest.index = i;
    break;
  }
  return largest;
}

BERTPREP_INLINE double total(const Lanes& lanes, double rest) {
  double sum = 0;
  for (std::int64_t k = 0; k < kLanes; ++k) sum += static_cast<double>(lanes[k]);
  return sum + rest;
}

// Calls see(i, lanes, count) for e^(values - largest), 16 at a time; the last ones may be fewer. Returns their sum.
template <class See>
BERTPREP_INLINE double over_exps(const float* values, std::int64_t count, float largest, See see) {
  Lanes sums{};
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    Lanes lanes;
    std::memcpy(&lanes, values + i, sizeof lanes);
    lanes -= largest;
    exp_negative(lanes);
    sums += lanes;
    see(i, lanes, kLanes);
  }
  double rest = 0;
  if (i < count) {
    Lanes lanes{};
    for (std::int64_t k = 0; k < count - i; ++k) lanes[k] = values[i + k] - largest;
    exp_negative(lanes);
    for (std::int64_t k = 0; k < count - i; ++k) rest += static_cast<double>(lanes[k]);
    see(i, lanes, count - i);
  }
  return total(sums, rest);
}

// values[i] becomes e^(values[i] - largest); their sum.
BERTPREP_INLINE double exp_row(float* values, std::int64_t count, float largest) {
  return over_exps(values, count, largest, [values](std::int64_t i, const Lanes& lanes, std::int64_t size) {
    std::memcpy(values + i, &lanes, static_cast<std::size_t>(size) * sizeof(float));
  });
}

}  // namespace

BERTPREP_CLONES
RowLoss softmax_loss_row(float* logits, std::int64_t classes, std::int64_t label, float scale) {
  const Largest largest = find_largest(logits, classes);
  const float label_logit = logits[label];
  const double sum = exp_row(logits, classes, largest.value);
  const float factor = scale / static_cast<float>(sum);
  for (std::int64_t i = 0; i < classes; ++i) logits[i] *= factor;
  logits[label] -= scale;
  return {std::log(sum) - static_cast<double>(label_logit - largest.value), largest.index};
}

BERTPREP_CLONES
RowLoss softmax_loss_row_only(const float* logits, std::int64_t classes, std::int64_t label) {
  const Largest largest = find_largest(logits, classes);
  const double sum = over_exps(logits, classes, largest.value, [](std::int64_t, const Lanes&, std::int64_t) {});
  return {std::log(sum) - static_cast<double>(logits[label] - largest.value), largest.index};
}

BERTPREP_CLONES
void softmax_row(float* values, const float* added, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) values[i] += added[i];
  const double sum = exp_row(values, count, largest_of(values, count));
  const auto factor = static_cast<float>(1 / sum);
  for (std::int64_t i = 0; i < count; ++i) values[i] *= factor;
}

BERTPREP_CLONES
void softmax_gradient_row(float* gradient, const float* shares, std::int64_t count) {
  Lanes lanes{};
  double rest = 0;
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    Lanes g;
    Lanes s;
    std::memcpy(&g, gradient + i, sizeof g);
    std::memcpy(&s, shares + i, sizeof s);
    lanes += g * s;
  }
  for (; i < count; ++i) rest += static_cast<double>(gradient[i] * shares[i]);
  const auto sum = static_cast<float>(total(lanes, rest));
  for (i = 0; i < count; ++i) gradient[i] = shares[i] * (gradient[i] - sum);
}

}  // namespace bertprep
