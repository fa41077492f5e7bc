// make_worker_queue: tasks that any thread may do ahead (TaskQueue).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "base/task_runner.h"

namespace bertprep {

// Has a function called soon, once, on any thread that works for the caller; it is short of work if there is none.
using CallSoon = std::function<void(std::function<void()>)>;

// At most `width` tasks run at once. The one who waits for the oldest task does the others meanwhile, oldest first, but
// no other work: so what is read in order waits for no more than one task, and nothing waits for a thread that is free.
std::unique_ptr<TaskQueue> make_worker_queue(std::size_t width, CallSoon call_soon);

}  // namespace bertprep
