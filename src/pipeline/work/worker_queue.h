// make_worker_queue: tasks that any thread may run ahead (TaskQueue).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "base/task_runner.h"

namespace bertprep {

// Schedules a function to be called once, soon, on any idle thread of the caller.
using CallSoon = std::function<void(std::function<void()>)>;

// At most `width` tasks run at once. A thread waiting for the oldest task runs others of the queue meanwhile, oldest
// first, but no other work: so the sequential reader waits for at most one task, and no free thread is needed.
std::unique_ptr<TaskQueue> make_worker_queue(std::size_t width, CallSoon call_soon);

}  // namespace bertprep
