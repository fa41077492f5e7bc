// One step: forward pass, backward pass and optimizer.
#pragma once

#include <cstdint>

#include "bertprep/shard/row_stream.h"
#include "bertprep/trainer/process_group.h"
#include "bertprep/trainer/train.h"
#include "trainer/torch/gradient_exchange.h"
#include "trainer/torch/model.h"
#include "trainer/torch/optimizer.h"

namespace bertprep {

// Sums over micro-batches, and over processes.
struct LossSums {
  double mlm = 0, nsp = 0;
  double predictions = 0, mlm_correct = 0;
  double rows = 0, nsp_correct = 0;

  void add(const ModelLoss& loss);
  void add_up(ProcessGroup& processes);
  double mlm_loss() const { return share(mlm, predictions); }
  double nsp_loss() const { return share(nsp, rows); }
  double mlm_accuracy() const { return share(mlm_correct, predictions); }
  double nsp_accuracy() const { return share(nsp_correct, rows); }

 private:
  static double share(double part, double whole) { return whole == 0 ? 0 : part / whole; }
};

struct StepSetup {
  std::int64_t step = 0;
  std::uint64_t seed = 0;
  double learning_rate = 0;
  std::size_t micro_batch_rows = 0;
  bool micro_batch_means = false;  // --loss-mean micro-batch
};

// The processes that share a step: each has an equal part of the batch.
struct StepTeam {
  ProcessGroup& processes;
  GradientExchange* exchange = nullptr;  // null for a lone process
};

struct StepResult {
  LossSums sums;
  double gradient_norm = 0;
};

// Throws Error if the loss or a gradient is not finite, with the step, the first affected layer, and the rows; the
// weights are then unchanged. All processes must call it; an exception in one is not seen by the others.
StepResult train_step(Model& model, Optimizer& optimizer, const TrainingBatch& batch, const ShardSet& shards,
                      const StepSetup& setup, const StepTeam& team);

// The losses of `rows` without dropout or training, of this process only.
LossSums evaluate(Model& model, const Batch& rows, std::size_t micro_batch_rows);

}  // namespace bertprep
