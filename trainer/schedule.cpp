#include "trainer/schedule.h"

#include <algorithm>
#include <cmath>

namespace bertprep {
namespace {

double habana_poly(const ScheduleOptions& options, double x) {
  const double flat_until = options.warmup + options.constant;
  if (x < flat_until || flat_until >= 1) return 1;
  return std::pow(std::max(0.0, 1 - x) / (1 - flat_until), options.degree);
}

}  // namespace

double learning_rate(const ScheduleOptions& options, std::int64_t step, std::int64_t max_steps) {
  const bool habana = options.schedule == ScheduleKind::kPoly;
  const std::int64_t count = habana ? std::max<std::int64_t>(1, step - 1) : step;
  const double x = static_cast<double>(count) / static_cast<double>(max_steps);
  double share = 1;
  if (x < options.warmup) {
    share = x / options.warmup;
  } else if (habana) {
    share = habana_poly(options, x);
  } else if (options.schedule == ScheduleKind::kNvidiaPoly) {
    share = std::pow(std::max(0.0, 1 - x), options.degree);
  } else if (options.schedule == ScheduleKind::kLinear) {
    share = options.warmup >= 1 ? 1 : std::max(0.0, (x - 1) / (options.warmup - 1));
  }
  return options.learning_rate * share;
}

}  // namespace bertprep
