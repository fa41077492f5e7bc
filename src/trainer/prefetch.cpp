#include "trainer/prefetch.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

namespace bertprep {

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
  std::jthread thread;  // the last member: it ends before what it uses
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
