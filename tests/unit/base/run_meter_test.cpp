#include "base/run_meter.h"

#include <gtest/gtest.h>

#include <vector>

namespace bertprep {
namespace {

// Does spans at given speeds, and checks the meter after each step.
class RunMeterTest : public testing::Test {
 protected:
  void expect(const std::vector<ExpectedSpan>& spans) { meter_.expect(spans); }

  // `seconds` in steps of a tenth.
  void work(const char* stage, std::uint64_t total, double seconds) {
    meter_.begin(stage, total, "bytes", now_);
    const auto steps = static_cast<std::uint64_t>(seconds * 10);
    for (std::uint64_t step = 1; step <= steps; ++step) {
      now_ += 0.1;
      meter_.advance(total * step / steps - meter_.done(), now_);
      look();
    }
    meter_.end(now_);
    look();
  }

  void look() {
    const RunShare share = meter_.share(now_);
    EXPECT_GE(share.fraction, last_) << meter_.stage() << " at " << now_;
    EXPECT_LE(share.fraction, 1 + 1e-9);
    EXPECT_LE(share.stage, share.stages);
    last_ = share.fraction;
  }

  double fraction() const { return meter_.share(now_).fraction; }

  RunMeter meter_;
  double now_ = 0;
  double last_ = 0;
};

TEST_F(RunMeterTest, CountsASpanThatIsAlone) {
  meter_.begin("verify", 4, "shards", 0);
  meter_.advance(1, 1);
  EXPECT_NEAR(meter_.share(1).fraction, 0.25, 1e-9);
  meter_.advance(1, 2);
  EXPECT_NEAR(meter_.share(2).fraction, 0.5, 1e-9);
  EXPECT_NEAR(meter_.share(2).seconds_left.value(), 2, 1e-9);
  EXPECT_EQ(meter_.share(2).stages, 1U);
  meter_.advance(2, 4);
  meter_.end(4);
  EXPECT_NEAR(meter_.share(4).fraction, 1, 1e-9);
}

TEST_F(RunMeterTest, SharesTheRunByTheTimeOfItsSpans) {
  expect({{"format", 10}, {"shard", 20}, {"instances", 70}});
  work("format", 1000, 10);
  EXPECT_NEAR(fraction(), 0.1, 0.01);
  work("shard", 500, 20);
  EXPECT_NEAR(fraction(), 0.3, 0.01);
  EXPECT_NEAR(meter_.share(now_).seconds_left.value(), 70, 1);
  work("instances", 12, 70);
  EXPECT_NEAR(fraction(), 1, 1e-9);
}

TEST_F(RunMeterTest, TakesLaterSpansToBeAsSlowAsTheRunIs) {
  expect({{"format", 10}, {"instances", 30}});
  meter_.begin("format", 1000, "bytes", 0);
  for (now_ = 1; now_ <= 10; ++now_) {
    meter_.advance(20, now_);
    look();
  }
  // Five times as slow as expected: 50 seconds, then 150.
  EXPECT_NEAR(meter_.share(10).seconds_left.value(), 40 + 150, 5);
  EXPECT_NEAR(fraction(), 0.05, 0.02);
}

TEST_F(RunMeterTest, NeverDecreases) {
  expect({{"download", 1000, true}, {"format", 1}, {"instances", 1}});
  work("download", 5, 1);
  work("format", 100, 50);
  work("instances", 10, 300);
  EXPECT_NEAR(fraction(), 1, 1e-9);
}

TEST_F(RunMeterTest, SkipsFoundResults) {
  expect({{"download", 100, true}, {"format", 10}, {"shard", 10}, {"instances", 10}});
  work("instances", 10, 5);
  EXPECT_EQ(meter_.share(now_).stage, 4U);
  EXPECT_EQ(meter_.share(now_).stages, 4U);
  EXPECT_NEAR(fraction(), 1, 1e-9);
}

TEST_F(RunMeterTest, LearnsMoreOnTheWay) {
  expect({{"download", 10, true}, {"check", 1}, {"format", 10}, {"instances", 10}});
  work("download", 100, 10);
  const double before = fraction();
  expect({{"check", 1}, {"format", 0}, {"instances", 100}});
  look();
  EXPECT_EQ(fraction(), before);
  EXPECT_EQ(meter_.share(now_).stages, 4U);
  work("check", 100, 1);
  work("instances", 100, 100);
  EXPECT_NEAR(fraction(), 1, 1e-9);
}

TEST_F(RunMeterTest, ADownloadThatBeginsAnewIsNoOtherStage) {
  expect({{"download", 10, true}, {"format", 10}});
  work("download", 100, 5);
  work("download", 60, 3);
  EXPECT_EQ(meter_.share(now_).stage, 1U);
  EXPECT_EQ(meter_.share(now_).stages, 2U);
  work("format", 100, 10);
  EXPECT_NEAR(fraction(), 1, 1e-9);
}

TEST_F(RunMeterTest, HasNoShareForUnknownSizes) {
  meter_.begin("download", 0, "bytes", 0);
  meter_.advance(1'000'000, 10);
  EXPECT_EQ(meter_.share(10).fraction, 0);
  EXPECT_FALSE(meter_.share(10).seconds_left);
  EXPECT_NEAR(meter_.rate(10).value(), 100'000, 1);
}

TEST_F(RunMeterTest, NeverHasMoreThanAll) {
  meter_.begin("format", 100, "bytes", 0);
  meter_.advance(150, 10);
  EXPECT_EQ(meter_.done(), 100U);
  EXPECT_NEAR(meter_.share(10).fraction, 1, 1e-9);
}

}  // namespace
}  // namespace bertprep
