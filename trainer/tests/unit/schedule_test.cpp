#include "trainer/schedule.h"

#include <gtest/gtest.h>

namespace bertprep::test {
namespace {

// 10 steps, a fifth of them warm-up, highest rate 1.
std::vector<double> rates(ScheduleOptions options) {
  options.learning_rate = 1;
  options.warmup = 0.2;
  std::vector<double> values;
  for (std::int64_t step = 1; step <= 10; ++step) values.push_back(learning_rate(options, step, 10));
  return values;
}

void expect_rates(const ScheduleOptions& options, const std::vector<double>& expected) {
  const auto values = rates(options);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-12) << "step " << i + 1;
}

TEST(Schedule, HabanaRepeatsTheFirstValue) {
  expect_rates({.schedule = ScheduleKind::kPoly}, {0.5, 0.5, 1, 0.875, 0.75, 0.625, 0.5, 0.375, 0.25, 0.125});
  expect_rates({.schedule = ScheduleKind::kPoly, .constant = 0.4}, {0.5, 0.5, 1, 1, 1, 1, 1, 0.75, 0.5, 0.25});
}

TEST(Schedule, NvidiaJumpsDownAfterTheWarmUp) {
  expect_rates({.schedule = ScheduleKind::kNvidiaPoly}, {0.5, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0});
}

TEST(Schedule, Others) {
  expect_rates({.schedule = ScheduleKind::kLinear}, {0.5, 1, 0.875, 0.75, 0.625, 0.5, 0.375, 0.25, 0.125, 0});
  expect_rates({.schedule = ScheduleKind::kConstant}, {0.5, 1, 1, 1, 1, 1, 1, 1, 1, 1});
}

TEST(Schedule, IsNoNumberNowhere) {
  for (const auto schedule :
       {ScheduleKind::kPoly, ScheduleKind::kNvidiaPoly, ScheduleKind::kLinear, ScheduleKind::kConstant}) {
    for (const double warmup : {0.0, 0.5, 1.0}) {
      for (std::int64_t step = 1; step < 25; ++step) {
        ScheduleOptions options{.learning_rate = 1, .schedule = schedule, .warmup = warmup, .degree = 0.5};
        const double rate = learning_rate(options, step, 10);
        EXPECT_TRUE(rate >= 0 && rate <= 1) << static_cast<int>(schedule) << " " << warmup << " " << step;
      }
    }
  }
}

}  // namespace
}  // namespace bertprep::test
