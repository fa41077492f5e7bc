#include "pipeline/work/worker_queue.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

namespace bertprep {
namespace {

enum class TaskState { kWaiting, kRunning, kDone };

struct QueuedTask {
  TaskQueue::Task task;
  TaskState state = TaskState::kWaiting;
  std::exception_ptr error{};
};

// The state shared by the threads; pending calls that find nothing to do keep it alive after the queue.
class QueueState {
 public:
  explicit QueueState(std::size_t width) {
    while (width > 0) free_workers_.push_back(--width);
  }

  void add(TaskQueue::Task task) {
    const std::lock_guard lock(mutex_);
    tasks_.push_back({std::move(task)});
  }

  // Runs a task, if one is waiting.
  void help() {
    std::unique_lock lock(mutex_);
    do {
      if (!run_next(lock)) return;
    } while (std::exchange(missed_, missed_ - (missed_ > 0 ? 1 : 0)) > 0);
  }

  void finish_oldest() {
    std::unique_lock lock(mutex_);
    while (tasks_.front().state != TaskState::kDone) {
      if (!run_next(lock)) changed_.wait(lock);
    }
    const std::exception_ptr error = tasks_.front().error;
    tasks_.pop_front();
    --begun_;
    if (error) std::rethrow_exception(error);
  }

  void close() {
    std::unique_lock lock(mutex_);
    tasks_.resize(begun_);
    changed_.wait(lock, [&] { return running_ == 0; });
  }

 private:
  // Runs the oldest task that has not begun, unlocked; false if there is none or the limit is reached.
  bool run_next(std::unique_lock<std::mutex>& lock) {
    if (begun_ == tasks_.size()) return false;
    if (free_workers_.empty()) {
      ++missed_;
      return false;
    }
    QueuedTask& task = tasks_[begun_++];  // keeps its address: a deque changes only at the ends
    const std::size_t worker = free_workers_.back();
    free_workers_.pop_back();
    task.state = TaskState::kRunning;
    ++running_;
    lock.unlock();
    try {
      task.task(worker);
    } catch (...) {
      task.error = std::current_exception();
    }
    lock.lock();
    --running_;
    free_workers_.push_back(worker);
    task.state = TaskState::kDone;
    changed_.notify_all();
    return true;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<QueuedTask> tasks_;  // oldest first
  std::size_t begun_ = 0;         // how many at the front have begun
  std::size_t running_ = 0;
  std::size_t missed_ = 0;  // calls that came at the limit
  std::vector<std::size_t> free_workers_;
};

class WorkerQueue final : public TaskQueue {
 public:
  WorkerQueue(std::size_t width, CallSoon call_soon)
      : call_soon_(std::move(call_soon)), state_(std::make_shared<QueueState>(width)) {}
  ~WorkerQueue() override { state_->close(); }
  WorkerQueue(const WorkerQueue&) = delete;
  WorkerQueue& operator=(const WorkerQueue&) = delete;

  void add(Task task) override {
    state_->add(std::move(task));
    call_soon_([state = state_] { state->help(); });
  }
  void finish_oldest() override { state_->finish_oldest(); }

 private:
  CallSoon call_soon_;
  std::shared_ptr<QueueState> state_;
};

}  // namespace

std::unique_ptr<TaskQueue> make_worker_queue(std::size_t width, CallSoon call_soon) {
  return std::make_unique<WorkerQueue>(width, std::move(call_soon));
}

}  // namespace bertprep
