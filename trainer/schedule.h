// The learning rate of every step, with the arithmetic of the reference trainers.
//
// T steps, warm-up share w, constant share c, degree d, highest rate r; x = n / T:
//   poly (Habana)   x < w: r x / w;  x < w + c: r;  else r ((1 - x) / (1 - w - c))^d; step k uses n = max(1, k - 1)
//   nvidia-poly     x < w: r x / w;  else r (1 - x)^d;                                step k uses n = k
//   linear          x < w: r x / w;  else r max(0, (x - 1) / (w - 1));                step k uses n = k
//   constant        x < w: r x / w;  else r;                                          step k uses n = k
#pragma once

#include <cstdint>

#include "bertprep/trainer/train.h"

namespace bertprep {

// `step` counts from 1. Past the last step the rate is 0 (constant: r).
double learning_rate(const ScheduleOptions& options, std::int64_t step, std::int64_t max_steps);

}  // namespace bertprep
