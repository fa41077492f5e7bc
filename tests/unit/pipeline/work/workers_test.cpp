#include "pipeline/work/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

class CancelledAfter final : public Progress {
 public:
  explicit CancelledAfter(int questions) : left_(questions) {}
  bool cancelled() const override { return left_-- <= 0; }

 private:
  mutable std::atomic<int> left_;
};

TEST(ForEachTask, DoesEachTaskOnce) {
  for (const std::size_t threads : {1u, 2u, 7u}) {
    std::vector<std::atomic<int>> done(1000);
    for_each_task(done.size(), threads, Progress(), [&](std::size_t i) { ++done[i]; });
    for (const auto& count : done) EXPECT_EQ(count, 1);
  }
}

TEST(ForEachTask, HasMoreThreadsThanCoresWhenRequested) {
  constexpr int kThreads = 7;
  std::atomic<int> waiting = 0;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  for_each_task(kThreads, kThreads, Progress(), [&](std::size_t) {
    ++waiting;
    while (waiting < kThreads && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  });
  EXPECT_LT(std::chrono::steady_clock::now(), deadline);
}

TEST(ForEachTask, ThrowsTheFirstErrorAndStops) {
  for (const std::size_t threads : {1u, 4u}) {
    std::atomic<int> done = 0;
    const auto work = [&](std::size_t i) {
      ++done;
      if (i == 3) throw FormatError("task 3");
      // The thread that throws may wait for a processor meanwhile.
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    };
    EXPECT_THROW(for_each_task(100000, threads, Progress(), work), FormatError);
    EXPECT_LT(done, 100000);
  }
}

TEST(ForEachTask, StopsWhenRequested) {
  for (const std::size_t threads : {1u, 4u}) {
    std::atomic<int> done = 0;
    EXPECT_THROW(for_each_task(100, threads, CancelledAfter(10), [&](std::size_t) { ++done; }), Cancelled);
    EXPECT_LE(done, 10);
  }
}

struct Number {
  int value = 0;
};

TEST(RunOrdered, WritesInTheOrderOfReading) {
  int next = 0;
  std::vector<int> written;
  run_ordered<Number>(
      4, Progress(), [&] { return next < 500 ? std::make_unique<Number>(Number{next++}) : nullptr; },
      [](Number& number) { number.value *= 2; }, [&](Number& number) { written.push_back(number.value); });
  ASSERT_EQ(written.size(), 500u);
  for (int i = 0; i < 500; ++i) EXPECT_EQ(written[static_cast<std::size_t>(i)], 2 * i);
}

TEST(RunOrdered, PassesErrorsOfEveryStep) {
  const auto forever = [] { return std::make_unique<Number>(); };
  const auto nothing = [](Number&) {};
  const auto fail = [](Number&) { throw FormatError("no"); };
  EXPECT_THROW(run_ordered<Number>(2, Progress(), forever, fail, nothing), FormatError);
  EXPECT_THROW(run_ordered<Number>(2, Progress(), forever, nothing, fail), FormatError);
  const auto unreadable = []() -> std::unique_ptr<Number> { throw IoError("no"); };
  EXPECT_THROW(run_ordered<Number>(2, Progress(), unreadable, nothing, nothing), IoError);
}

}  // namespace
}  // namespace bertprep
