// TaskRunner: how a room that has no threads lets those of its caller help.
#pragma once

#include <cstddef>
#include <functional>

namespace bertprep {

struct TaskRunner {
  // Calls task(i) once for every i in [0, count), perhaps several at once, and returns when all are done. What a task
  // throws comes out of run().
  using Run = std::function<void(std::size_t count, const std::function<void(std::size_t)>& task)>;

  std::size_t width = 1;  // so many tasks make progress at once; a hint for how much to hand over at a time
  Run run = [](std::size_t count, const std::function<void(std::size_t)>& task) {
    for (std::size_t i = 0; i < count; ++i) task(i);
  };
};

}  // namespace bertprep
