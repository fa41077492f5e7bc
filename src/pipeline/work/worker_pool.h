// WorkerPool: workers with what is worth keeping from task to task, such as warm caches and memory already in use. Each
// is lent to one task at a time.
#pragma once

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace bertprep {

// Thread-safe.
template <class Worker>
class WorkerPool {
 public:
  // `make` is called while all workers are lent, from any thread.
  explicit WorkerPool(std::function<Worker()> make) : make_(std::move(make)) {}

  // A worker until the end of its life, which the pool must outlive.
  class Loan {
   public:
    explicit Loan(WorkerPool& pool) : pool_(pool), worker_(pool.take()) {}
    ~Loan() { pool_.give_back(std::move(worker_)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    Worker& operator*() { return worker_; }

   private:
    WorkerPool& pool_;
    Worker worker_;
  };

 private:
  Worker take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        Worker worker = std::move(free_.back());
        free_.pop_back();
        return worker;
      }
    }
    return make_();
  }
  void give_back(Worker worker) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(worker));
  }

  std::function<Worker()> make_;
  std::mutex mutex_;
  std::vector<Worker> free_;
};

}  // namespace bertprep
