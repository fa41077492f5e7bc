// Threads that work while the model computes: Background runs functions, Prefetch reads batches ahead.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "bertprep/shard/row_stream.h"

namespace bertprep {

// A thread that runs functions in order.
class Background {
 public:
  Background();
  ~Background();  // drops work that has not begun

  // Queues `work`; returns at once.
  void post(std::function<void()> work);
  // Waits until all work is done. Rethrows the first exception of the work; later work is dropped.
  void wait();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A thread that reads batches ahead, so that the model does not wait.
class Prefetch {
 public:
  // `rows` is the size of a batch over all processes; at most `depth` batches are ready at once.
  Prefetch(RowStream stream, std::uint64_t rows, std::size_t depth);
  ~Prefetch();
  Prefetch(Prefetch&&) noexcept;

  // Waits for the next batch. Rethrows the thread's exception.
  TrainingBatch next();
  // Seconds that next() has waited so far.
  double waited_seconds() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bertprep
