#include "pipeline/work/workers.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/version.h>

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "bertprep/base/error.h"
#include "io/thread_supply.h"
#include "pipeline/work/worker_queue.h"

namespace bertprep {
namespace {

std::size_t machine_threads() {
  return static_cast<std::size_t>(std::max(1, tbb::info::default_concurrency()));
}

// What was tried at the first call that wanted threads, when none were there.
struct Supply {
  std::size_t wanted = 0;
  std::size_t had = 0;
};

// oneTBB keeps its threads, so later calls can't try again; only more than before are tried beyond them.
std::size_t within_supply(std::size_t threads) {
  if (threads <= 1) return 1;
  static const Supply kFirst = [&] {
    const std::size_t wanted = std::max(threads, machine_threads());
    return Supply{wanted, threads_to_be_had(wanted)};
  }();
  if (threads <= kFirst.wanted || kFirst.had < kFirst.wanted) return std::min(threads, kFirst.had);
  return kFirst.wanted + threads_to_be_had(threads - kFirst.wanted + 1) - 1;
}

// How many threads oneTBB may begin for a call with `threads` of them. By default, it would stop at one per core; a
// lower limit would affect other calls, as the lowest of all limits applies, and is set only where no more can be had.
std::size_t limit_beside(std::size_t threads) {
  // With one thread, it begins none.
  return threads == 1 ? machine_threads() : std::max(threads, within_supply(machine_threads()));
}

// An arena with as many threads as asked for.
class Arena {
 public:
  explicit Arena(std::size_t threads)
      : limit_(tbb::global_control::max_allowed_parallelism, limit_beside(threads)),
        arena_(static_cast<int>(threads)) {}

  template <class Work>
  void execute(Work work) {
    arena_.execute(work);
  }

 private:
  tbb::global_control limit_;
  tbb::task_arena arena_;
};

// Held while a task runs: earlier holders' work happened before. oneTBB guarantees the required order, but
// ThreadSanitizer can't see into it; the counter makes it visible. Overlapping tasks stay unordered, so their races are
// still found.
class OrderStep {
 public:
  explicit OrderStep(std::atomic<std::size_t>& steps) : steps_(steps) { ++steps_; }
  ~OrderStep() { ++steps_; }
  OrderStep(const OrderStep&) = delete;
  OrderStep& operator=(const OrderStep&) = delete;

 private:
  std::atomic<std::size_t>& steps_;
};

// A call passed through oneTBB; also makes the order of earlier writes visible.
struct EnqueuedCall {
  std::function<void()> call;
  std::atomic<std::size_t> steps = 0;
};

void call_soon(std::function<void()> call) {
  auto sent = std::make_unique<EnqueuedCall>();
  sent->call = std::move(call);
  { const OrderStep step(sent->steps); }
  tbb::this_task_arena::enqueue([sent = sent.get()] {
    const std::unique_ptr<EnqueuedCall> arrived(sent);
    { const OrderStep step(arrived->steps); }
    arrived->call();
  });
  static_cast<void>(sent.release());
}

}  // namespace

void stop_if_cancelled(const Progress& progress) {
  if (progress.cancelled()) throw Cancelled();
}

std::size_t wanted_threads(std::size_t requested) {
  if (requested > kMaxThreads) {
    throw ConfigError("`threads` is out of range, it must be between 0 and " + std::to_string(kMaxThreads));
  }
  return requested == 0 ? machine_threads() : requested;
}

std::size_t resolve_threads(std::size_t requested) {
  return within_supply(wanted_threads(requested));
}

TaskRunner task_runner(std::size_t threads, std::uint64_t memory_bytes) {
  TaskRunner runner;
  const auto within = static_cast<std::size_t>(std::max<std::uint64_t>(1, memory_bytes / 4 / kAheadBytes));
  runner.width = std::min(resolve_threads(threads), within);
  if (runner.width == 1) return runner;
  // Outside of an arena, oneTBB would begin a thread per core.
  const auto limit = std::make_shared<const tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                                 limit_beside(runner.width));
  runner.run = [limit](std::size_t count, const std::function<void(std::size_t)>& task) {
    std::atomic<std::size_t> steps = 0;
    const OrderStep whole(steps);
    // Isolated: the reading thread must not begin other long work while all wait for its data.
    tbb::this_task_arena::isolate([&] {
      tbb::parallel_for(
          std::size_t{0}, count,
          [&](std::size_t i) {
            const OrderStep step(steps);
            task(i);
          },
          tbb::simple_partitioner());
    });
  };
  runner.make_queue = [width = runner.width] { return make_worker_queue(width, call_soon); };
  return runner;
}

void for_each_task(std::size_t count, std::size_t threads, const Progress& progress,
                   const std::function<void(std::size_t)>& work) {
  const std::size_t workers = std::min(resolve_threads(threads), count);
  if (workers <= 1) {
    for (std::size_t i = 0; i < count; ++i) {
      stop_if_cancelled(progress);
      work(i);
    }
    return;
  }
  // Each worker takes the next task when free: tasks are few, of unequal size, and come largest first.
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> steps = 0;
  const OrderStep whole(steps);
  Arena(workers).execute([&] {
    tbb::task_group_context context;
    tbb::parallel_for(
        std::size_t{0}, workers,
        [&](std::size_t) {
          const OrderStep step(steps);
          for (std::size_t i = next++; i < count && !context.is_group_execution_cancelled(); i = next++) {
            stop_if_cancelled(progress);
            work(i);
          }
        },
        tbb::simple_partitioner(), context);
  });
}

void run_ordered(std::size_t threads, const Progress& progress, const OrderedStream& stream) {
  // Ordered writing and the limit of blocks in flight ensure that slot k is free when block k + slots.size() is read.
  const std::size_t workers = resolve_threads(threads);
  std::vector<std::shared_ptr<void>> slots(2 * workers);
  std::size_t blocks = 0;
  std::atomic<std::size_t> steps = 0;
  const auto read = [&](tbb::flow_control& control) -> std::size_t {
    const OrderStep step(steps);
    stop_if_cancelled(progress);
    const std::size_t slot = blocks++ % slots.size();
    slots[slot] = stream.read();
    if (!slots[slot]) control.stop();
    return slot;
  };
  const auto transform = [&](std::size_t slot) {
    const OrderStep step(steps);
    stream.transform(slots[slot].get());
    return slot;
  };
  const auto write = [&](std::size_t slot) {
    const OrderStep step(steps);
    stream.write(slots[slot].get());
    slots[slot].reset();
  };
  const OrderStep whole(steps);
  Arena(workers).execute([&] {
    tbb::parallel_pipeline(slots.size(),
                           tbb::make_filter<void, std::size_t>(tbb::filter_mode::serial_in_order, read) &
                               tbb::make_filter<std::size_t, std::size_t>(tbb::filter_mode::parallel, transform) &
                               tbb::make_filter<std::size_t, void>(tbb::filter_mode::serial_in_order, write));
  });
}

LibraryVersion version_of_tbb() {
  return {"oneTBB", TBB_VERSION_STRING, ::TBB_runtime_version()};
}

}  // namespace bertprep
