#include "pipeline/work/worker_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "bertprep/base/error.h"
#include "pipeline/work/workers.h"
#include "support/sanitized.h"

namespace bertprep {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

TEST(WorkerQueue, DoesEachTaskOnceAndHandsThemBackInOrder) {
  for (const std::size_t threads : {1U, 2U, 7U}) {
    const TaskRunner runner = task_runner(threads);
    const auto queue = runner.make_queue();
    std::vector<std::atomic<int>> done(300);
    std::vector<int> uses(runner.width);  // of each worker, without a lock
    std::size_t added = 0;
    for (std::size_t i = 0; i < done.size(); ++i) {
      for (; added < std::min(done.size(), i + 20); ++added) {
        queue->add([&, added](std::size_t worker) {
          ++uses.at(worker);
          ++done[added];
        });
      }
      queue->finish_oldest();
      EXPECT_EQ(done[i], 1);
    }
    int sum = 0;
    for (const int count : uses) sum += count;
    EXPECT_EQ(sum, 300);
  }
}

TEST(WorkerQueue, PassesErrorsInTheirPlace) {
  for (const std::size_t threads : {1U, 3U}) {
    const auto queue = task_runner(threads).make_queue();
    for (int i = 0; i < 3; ++i) {
      queue->add([i](std::size_t) {
        if (i == 1) throw FormatError("task 1");
      });
    }
    queue->finish_oldest();
    EXPECT_THROW(queue->finish_oldest(), FormatError);
    queue->finish_oldest();
  }
}

TEST(WorkerQueue, EndsWithUnneededTasks) {
  std::atomic<int> running = 0;
  {
    const auto queue = task_runner(4).make_queue();
    for (int i = 0; i < 50; ++i) {
      queue->add([&](std::size_t) {
        ++running;
        std::this_thread::sleep_for(milliseconds(1));
        --running;
      });
    }
    queue->finish_oldest();
  }
  EXPECT_EQ(running, 0);
}

// No other thread is free: the waiting one does all.
TEST(WorkerQueue, NeedsNoOtherThread) {
  const auto queue = make_worker_queue(4, [](const std::function<void()>&) {});
  int done = 0;
  for (int i = 0; i < 10; ++i) queue->add([&](std::size_t) { ++done; });
  for (int i = 0; i < 10; ++i) queue->finish_oldest();
  EXPECT_EQ(done, 10);
}

TEST(TaskRunner, WorksAheadWithinItsMemory) {
  EXPECT_EQ(task_runner(64).width, 64U);
  EXPECT_EQ(task_runner(64, 40 * kAheadBytes).width, 10U);
  EXPECT_EQ(task_runner(64, 1).width, 1U);
}

// Simulates with sleep a dump with these times to decode a block and to extract its articles; sequential reading takes
// no time. Returns the seconds.
double read_simulated_dump(std::size_t threads, std::size_t blocks, milliseconds decode, milliseconds extract) {
  const TaskRunner runner = task_runner(threads);
  const auto queue = runner.make_queue();
  std::size_t added = 0;
  std::size_t read = 0;
  std::size_t written = 0;
  const Clock::time_point begin = Clock::now();
  run_ordered<std::size_t>(
      threads, Progress(),
      [&]() -> std::unique_ptr<std::size_t> {
        if (read == blocks) return nullptr;
        for (; added < std::min(blocks, read + 2 * threads + 2); ++added)
          queue->add([&](std::size_t) { std::this_thread::sleep_for(decode); });
        queue->finish_oldest();
        return std::make_unique<std::size_t>(read++);
      },
      [&](std::size_t&) { std::this_thread::sleep_for(extract); },
      [&](std::size_t& block) { EXPECT_EQ(block, written++); });
  EXPECT_EQ(written, blocks);
  return seconds_since(begin);
}

// The seconds that as many threads need for the same sleep without any queue: more than the sum on a busy machine.
double sleep_in_threads(std::size_t threads, std::size_t blocks, milliseconds decode, milliseconds extract) {
  const Clock::time_point begin = Clock::now();
  {
    std::vector<std::jthread> sleepers;
    for (std::size_t i = 0; i < threads; ++i) {
      sleepers.emplace_back([=] {
        for (std::size_t block = i; block < blocks; block += threads) {
          std::this_thread::sleep_for(decode);
          std::this_thread::sleep_for(extract);
        }
      });
    }
  }
  return seconds_since(begin);
}

// Threads that sleep need no cores, so this shows only the order of the work. The machine may be busy, so the best of
// three counts; a sanitizer's own work for each of many threads is no sleep.
TEST(WorkerQueue, KeepsManyThreadsBusy) {
  constexpr std::size_t kBlocks = 1280;
  for (const std::size_t threads :
       test::kSanitized ? std::vector<std::size_t>{2, 8} : std::vector<std::size_t>{2, 8, 64}) {
    const std::size_t blocks = kBlocks * threads / 64;
    const milliseconds decode(40), extract(10);
    double busy = 0;
    for (int i = 0; i < 3 && busy < 0.8; ++i) {
      const double ideal = sleep_in_threads(threads, blocks, decode, extract);
      busy = std::max(busy, ideal / read_simulated_dump(threads, blocks, decode, extract));
    }
    std::cout << threads << " threads: " << busy << " of them busy\n";
    // Beside other builds, 64 threads wait for a processor half of the time.
    EXPECT_GT(busy, threads > 8 ? 0.35 : test::kSanitized ? 0.5 : 0.6) << threads;
  }
}

}  // namespace
}  // namespace bertprep
