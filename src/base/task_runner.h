// TaskRunner: lets a room without threads use those of its caller.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <utility>

namespace bertprep {

// TaskQueue: runs tasks ahead of their consumer in any order, and hands them back in theirs. Only one thread at a time
// may call it. The destructor drops tasks that have not begun and waits for the others.
class TaskQueue {
 public:
  // `worker`, below TaskRunner::width, is not given to two tasks at a time, so a task needs no lock for data indexed by
  // it.
  using Task = std::function<void(std::size_t worker)>;

  virtual ~TaskQueue() = default;

  // `task` is called once, now or later.
  virtual void add(Task task) = 0;
  // Waits for the oldest task and removes it; requires that there is one. Meanwhile, the caller runs only other tasks
  // of this queue. Rethrows that task's exception.
  virtual void finish_oldest() = 0;
};

// Runs tasks only when their results are needed.
class SerialQueue final : public TaskQueue {
 public:
  void add(Task task) override { tasks_.push_back(std::move(task)); }
  void finish_oldest() override {
    const Task task = std::move(tasks_.front());
    tasks_.pop_front();
    task(0);
  }

 private:
  std::deque<Task> tasks_;
};

struct TaskRunner {
  // Calls task(i) once for every i in [0, count), possibly several at once, and returns when all are done. Rethrows a
  // task's exception.
  using Run = std::function<void(std::size_t count, const std::function<void(std::size_t)>& task)>;

  std::size_t width = 1;  // how many tasks run at once; a hint for how much work to submit at a time
  Run run = [](std::size_t count, const std::function<void(std::size_t)>& task) {
    for (std::size_t i = 0; i < count; ++i) task(i);
  };
  std::function<std::unique_ptr<TaskQueue>()> make_queue = [] { return std::make_unique<SerialQueue>(); };
};

}  // namespace bertprep
