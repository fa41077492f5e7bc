// Workers: the only place with threads (oneTBB).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "base/library_version.h"
#include "base/task_runner.h"
#include "bertprep/base/progress.h"

namespace bertprep {

// Throws Cancelled if requested by `progress`.
void stop_if_cancelled(const Progress& progress);

// Runs `work(i)` for every i in [0, count) on up to `threads` threads. The first exception stops the rest and is
// rethrown here. Throws Cancelled between two calls if requested by `progress`.
void for_each_task(std::size_t count, std::size_t threads, const Progress& progress,
                   const std::function<void(std::size_t)>& work);

// An ordered stream through a parallel middle: `read` returns the next block or null at the end, `transform` processes
// blocks in parallel, `write` receives them in the order of reading. read and write run one call at a time. Memory: at
// most 2 x threads blocks. Exceptions and cancellation as above.
struct OrderedStream {
  std::function<std::shared_ptr<void>()> read;
  std::function<void(void*)> transform;
  std::function<void(void*)> write;
};
void run_ordered(std::size_t threads, const Progress& progress, const OrderedStream& stream);

// The same for blocks of type T.
template <class T, class Read, class Transform, class Write>
void run_ordered(std::size_t threads, const Progress& progress, Read read, Transform transform, Write write) {
  run_ordered(threads, progress,
              OrderedStream{[&]() -> std::shared_ptr<void> { return std::shared_ptr<T>(read()); },
                            [&](void* block) { transform(*static_cast<T*>(block)); },
                            [&](void* block) { write(*static_cast<T*>(block)); }});
}

// Lets a source or stream read inside run_ordered's `read` share work with the threads of that call. With a limit of
// memory, only as many work ahead as fit into a quarter of it, at kAheadBytes each.
inline constexpr std::uint64_t kAheadBytes = std::uint64_t{13} << 20U;
TaskRunner task_runner(std::size_t threads, std::uint64_t memory_bytes = UINT64_MAX);

// The most that `threads` may ask for.
inline constexpr std::size_t kMaxThreads = 4096;
// The number of threads for "0 = as many as the machine has"; fewer if the process can't have as many. Throws
// ConfigError for more than kMaxThreads.
std::size_t resolve_threads(std::size_t requested);
// The same without asking what the process can have.
std::size_t wanted_threads(std::size_t requested);

LibraryVersion version_of_tbb();

}  // namespace bertprep
