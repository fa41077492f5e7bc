// One step: rows through the model, back, and into the optimizer.
#pragma once

#include <cstdint>
#include <string>

#include "bertprep/trainer/train.h"
#include "trainer/row_stream.h"
#include "trainer/shard_set.h"
#include "trainer/torch/bert.h"
#include "trainer/torch/optimizer.h"

namespace bertprep {

// Sums over micro-batches.
struct LossSums {
  double mlm = 0, nsp = 0;  // means of the micro-batches, added up
  std::int64_t passes = 0;
  std::int64_t predictions = 0, mlm_correct = 0;
  std::int64_t rows = 0, nsp_correct = 0;

  void add(const BertLoss& loss);
  double mlm_loss() const { return passes == 0 ? 0 : mlm / static_cast<double>(passes); }
  double nsp_loss() const { return passes == 0 ? 0 : nsp / static_cast<double>(passes); }
  double mlm_accuracy() const;
  double nsp_accuracy() const;
};

struct StepSetup {
  std::int64_t step = 0;
  std::uint64_t seed = 0;
  double learning_rate = 0;
  std::size_t micro_batch_rows = 0;
};

struct StepResult {
  LossSums sums;
  double gradient_norm = 0;
};

// Throws Error when the loss or a gradient is no finite number, with the step, the first layer where it shows, and the
// rows; the weights are then those of before.
StepResult train_step(Bert& model, Optimizer& optimizer, const TrainingBatch& batch, const ShardSet& shards,
                      const StepSetup& setup);

// The losses of `rows` without dropout and without learning.
LossSums evaluate(Bert& model, const Batch& rows, std::size_t micro_batch_rows);

}  // namespace bertprep
