// Threads that work while the model computes: Background does what it is given, Prefetch reads batches ahead.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "bertprep/shard/row_stream.h"

namespace bertprep {

// A thread that does what it is given, one thing after the other.
class Background {
 public:
  Background();
  ~Background();  // what has not begun is left undone

  // Hands over `work`; returns at once.
  void post(std::function<void()> work);
  // Waits until everything is done. The first exception of the work comes out here; what came after it is left undone.
  void wait();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A thread that reads batches ahead, so that the model waits for none.
class Prefetch {
 public:
  // `rows` of all processes a batch; at most `depth` batches are ready at once.
  Prefetch(RowStream stream, std::uint64_t rows, std::size_t depth);
  ~Prefetch();
  Prefetch(Prefetch&&) noexcept;

  // Waits for the next batch. What the thread threw comes out here.
  TrainingBatch next();
  // Seconds that next() has waited so far.
  double waited_seconds() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bertprep
