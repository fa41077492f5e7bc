#include "base/task_runner.h"

#include <deque>
#include <utility>

namespace bertprep {
namespace {

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

}  // namespace

std::unique_ptr<TaskQueue> make_serial_queue() {
  return std::make_unique<SerialQueue>();
}

}  // namespace bertprep
