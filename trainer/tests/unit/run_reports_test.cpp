#include "trainer/run_reports.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace bertprep::test {
namespace {

class Reports final : public TrainObserver {
 public:
  void stepped(const StepReport& report) override { all.push_back(report); }
  std::vector<StepReport> all;
};

TEST(RunReports, TheSlowFirstStepSaysNothingOfTheTimeLeft) {
  Reports seen;
  RunReports reports({}, seen);
  TrainPlan plan;
  plan.first_step = 100;
  reports.planned(plan);
  const auto step = [&](std::int64_t number, int milliseconds, double waited) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    StepReport report;
    report.step = number;
    report.max_steps = 1102;
    reports.stepped(report, {static_cast<std::uint64_t>(number - 100) * 8, waited, 0});
  };
  step(101, 500, 0);
  step(102, 20, 0.01);
  ASSERT_EQ(seen.all.size(), 2U);
  EXPECT_GE(seen.all[0].seconds_left, 0.5 * 1001);
  // A step of 20 ms each for a thousand; a busy machine may take longer.
  EXPECT_GE(seen.all[1].seconds_left, 20);
  EXPECT_LT(seen.all[1].seconds_left, 200);
  EXPECT_GT(seen.all[1].waiting_share, 0.05);
  EXPECT_LE(seen.all[1].waiting_share, 0.5);
  EXPECT_LE(seen.all[1].rows_per_second, 400);
}

}  // namespace
}  // namespace bertprep::test
