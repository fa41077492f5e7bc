#include "trainer/background.h"

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
  std::jthread thread;  // the last member: it ends before what it uses
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

}  // namespace bertprep
