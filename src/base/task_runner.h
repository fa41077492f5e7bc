// TaskRunner: how a room that has no threads lets those of its caller help.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <utility>

namespace bertprep {

// TaskQueue: tasks that are done ahead of the one who needs them, in any order, and handed back in theirs. Its
// functions are called by one thread at a time; its destructor drops tasks that nobody has begun and waits for the
// others.
class TaskQueue {
 public:
  // `worker`, below TaskRunner::width, is no other task's meanwhile: what it numbers may be used without a lock.
  using Task = std::function<void(std::size_t worker)>;

  virtual ~TaskQueue() = default;

  // `task` is called once, from now on.
  virtual void add(Task task) = 0;
  // Returns when the oldest task is done, and forgets it; there is one. While it is under way elsewhere, the caller
  // does others of this queue, and nothing else. Throws what that task threw.
  virtual void finish_oldest() = 0;
};

// Tasks that are done when they are needed.
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
  // Calls task(i) once for every i in [0, count), perhaps several at once, and returns when all are done. What a task
  // throws comes out of run().
  using Run = std::function<void(std::size_t count, const std::function<void(std::size_t)>& task)>;

  std::size_t width = 1;  // so many tasks make progress at once; a hint for how much to hand over at a time
  Run run = [](std::size_t count, const std::function<void(std::size_t)>& task) {
    for (std::size_t i = 0; i < count; ++i) task(i);
  };
  std::function<std::unique_ptr<TaskQueue>()> make_queue = [] { return std::make_unique<SerialQueue>(); };
};

}  // namespace bertprep
