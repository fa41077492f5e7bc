// Prefetch: a thread that reads batches ahead, so that the model waits for none.
#pragma once

#include <cstdint>
#include <memory>

#include "trainer/row_stream.h"

namespace bertprep {

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
