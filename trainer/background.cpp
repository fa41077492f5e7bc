#include "trainer/background.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace bertprep {

struct Background::State {
  State() : thread([this](std::stop_token stop) { work(stop); }) {}

  void work(const std::stop_token& stop) {
    std::unique_lock lock(mutex);
    while (changed.wait(lock, stop, [this] { return !waiting.empty(); }) && !stop.stop_requested()) {
      const std::function<void()> next = std::move(waiting.front());
      waiting.pop_front();
      busy = true;
      lock.unlock();
      std::exception_ptr thrown;
      try {
        next();
      } catch (...) {
        thrown = std::current_exception();
      }
      lock.lock();
      busy = false;
      if (thrown) {
        failure = failure ? failure : thrown;
        waiting.clear();
      }
      changed.notify_all();
    }
  }

  std::mutex mutex;
  std::condition_variable_any changed;
  std::deque<std::function<void()>> waiting;
  bool busy = false;
  std::exception_ptr failure;
  std::jthread thread;  // the last member: ends before the members that it uses
};

Background::Background() : state_(std::make_unique<State>()) {}
Background::~Background() = default;

void Background::post(std::function<void()> work) {
  const std::lock_guard lock(state_->mutex);
  if (state_->failure) return;
  state_->waiting.push_back(std::move(work));
  state_->changed.notify_all();
}

void Background::wait() {
  std::unique_lock lock(state_->mutex);
  state_->changed.wait(lock, [this] { return state_->waiting.empty() && !state_->busy; });
  if (state_->failure) std::rethrow_exception(std::exchange(state_->failure, nullptr));
}

struct Prefetch::State {
  State(RowStream source, std::uint64_t count, std::size_t most)
      : stream(std::move(source)), rows(count), depth(most), thread([this](std::stop_token stop) { fill(stop); }) {}

  void fill(const std::stop_token& stop) {
    try {
      while (!stop.stop_requested()) {
        TrainingBatch batch;
        stream.next(rows, batch);
        std::unique_lock lock(mutex);
        if (!changed.wait(lock, stop, [this] { return ready.size() < depth; })) return;
        ready.push_back(std::move(batch));
        changed.notify_all();
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
      changed.notify_all();
    }
  }

  RowStream stream;
  std::uint64_t rows;
  std::size_t depth;
  double waited_seconds = 0;
  std::mutex mutex;
  std::condition_variable_any changed;
  std::deque<TrainingBatch> ready;
  std::exception_ptr failure;
  std::jthread thread;  // the last member: ends before the members that it uses
};

Prefetch::Prefetch(RowStream stream, std::uint64_t rows, std::size_t depth)
    : state_(std::make_unique<State>(std::move(stream), rows, depth)) {}

Prefetch::~Prefetch() = default;
Prefetch::Prefetch(Prefetch&&) noexcept = default;

TrainingBatch Prefetch::next() {
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock lock(state_->mutex);
  state_->changed.wait(lock, [this] { return !state_->ready.empty() || state_->failure; });
  state_->waited_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (state_->ready.empty()) std::rethrow_exception(state_->failure);
  TrainingBatch batch = std::move(state_->ready.front());
  state_->ready.pop_front();
  state_->changed.notify_all();
  return batch;
}

double Prefetch::waited_seconds() const {
  return state_->waited_seconds;
}

}  // namespace bertprep
