#include "trainer/torch/step.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bertprep/base/error.h"
#include "trainer/counter_random.h"

namespace bertprep {
namespace {

constexpr std::size_t kRowsNamed = 3;

std::string place_text(const RowPlace& place, const ShardSet& shards) {
  return shards.shards[place.shard].path.filename().string() + ":" + std::to_string(place.row);
}

std::string rows_text(const std::vector<std::size_t>& rows, std::size_t first, const TrainingBatch& batch,
                      const ShardSet& shards) {
  std::string text;
  for (std::size_t i = 0; i < std::min(rows.size(), kRowsNamed); ++i) {
    text += (i == 0 ? "" : ", ") + place_text(batch.places[first + rows[i]], shards);
  }
  return text + (rows.size() > kRowsNamed ? " and " + std::to_string(rows.size() - kRowsNamed) + " more" : "");
}

// The row of the micro-batch for an index in a value's first dimension.
std::size_t row_of(std::int64_t index, std::int64_t size, const ModelBatch& batch) {
  if (size == batch.rows()) return static_cast<std::size_t>(index);
  if (size == batch.rows() * batch.tokens()) return static_cast<std::size_t>(index / batch.tokens());
  return static_cast<std::size_t>(batch.label_rows[index].item<std::int64_t>() / batch.tokens());
}

struct Fault {
  std::string layer;
  std::vector<std::size_t> rows;  // of the micro-batch
};

// Repeats the pass to find where the first value that is not finite appears.
Fault find_fault(Model& model, const ModelBatch& batch, const ModelPass& pass) {
  const at::NoGradGuard no_gradients;
  Fault fault;
  model.loss(batch, pass, [&](const std::string& name, const at::Tensor& values) {
    if (!fault.layer.empty()) return;
    const at::Tensor bad = values.isfinite().logical_not().reshape({values.size(0), -1}).any(1).to(at::kCPU);
    const at::Tensor places = bad.nonzero().view({-1});
    if (places.numel() == 0) return;
    fault.layer = name;
    for (std::int64_t i = 0; i < places.numel(); ++i) {
      fault.rows.push_back(row_of(places[i].item<std::int64_t>(), values.size(0), batch));
    }
    fault.rows.erase(std::unique(fault.rows.begin(), fault.rows.end()), fault.rows.end());
  });
  if (fault.layer.empty()) fault.layer = "the loss";
  return fault;
}

[[noreturn]] void fail(const std::string& what, const std::string& layer, const std::string& rows,
                       const StepSetup& setup) {
  throw Error(
      "the " + what + " is not a finite number, first in " + layer + ", rows " + rows,
      "step " + std::to_string(setup.step),
      "the learning rate " + std::to_string(setup.learning_rate) + " may be too high; earlier checkpoints are valid");
}

std::string layer_with_bad_gradient(const Model& model) {
  for (const Parameter& parameter : model.parameters()) {
    const at::Tensor gradient = parameter.value.grad();
    if (gradient.defined() && !gradient.isfinite().all().item<bool>()) return "the gradient of " + parameter.name;
  }
  return "the sum of all gradients";
}

std::vector<std::size_t> all_rows(const TrainingBatch& batch) {
  std::vector<std::size_t> rows(batch.places.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  return rows;
}

// Divisors for the loss of a micro-batch that make the sum over all of them the mean over the batch.
struct Divisors {
  double predictions = 1, rows = 1;  // of the whole batch
  double passes = 1;
  bool micro_batch_means = false;

  // With means of micro-batches, each has the same weight, whatever its number of predictions.
  double mlm(const ModelBatch& part) const {
    return micro_batch_means ? passes * static_cast<double>(std::max<std::int64_t>(1, part.label_ids.numel()))
                             : std::max(1.0, predictions);
  }
};

Divisors divisors_of(ModelKind kind, const TrainingBatch& batch, const StepSetup& setup, ProcessGroup& processes) {
  const auto own_rows = static_cast<double>(batch.rows.rows);
  std::array<double, 2> sums{static_cast<double>(count_predictions(kind, batch.rows)),
                             std::ceil(own_rows / static_cast<double>(setup.micro_batch_rows))};
  processes.sum(sums);
  return {sums[0], own_rows * static_cast<double>(processes.size()), sums[1], setup.micro_batch_means};
}

// Forward and backward passes of this process's rows.
LossSums do_passes(Model& model, const TrainingBatch& batch, const ShardSet& shards, const StepSetup& setup,
                   const StepTeam& team) {
  const Divisors divisors = divisors_of(model.config().kind, batch, setup, team.processes);
  LossSums sums;
  for (std::size_t first = 0; first < batch.rows.rows; first += setup.micro_batch_rows) {
    const std::size_t count = std::min(setup.micro_batch_rows, batch.rows.rows - first);
    const ModelBatch part = model.batch_of(batch.rows, first, count);
    const ModelPass pass{.dropout = true,
                         .dropout_key = mixed_bits(mixed_bits(setup.seed) + static_cast<std::uint64_t>(setup.step)),
                         .first_row = team.processes.rank() * batch.rows.rows + first,
                         .mlm_divisor = divisors.mlm(part),
                         .nsp_divisor = divisors.rows};
    const ModelLoss loss = model.loss(part, pass);
    if (!std::isfinite(loss.mlm_sum + loss.nsp_sum)) {
      const Fault fault = find_fault(model, part, pass);
      fail("loss", fault.layer, rows_text(fault.rows, first, batch, shards), setup);
    }
    if (team.exchange != nullptr) team.exchange->begin_pass(first + count == batch.rows.rows);
    loss.total.backward();
    if (team.exchange != nullptr) team.exchange->end_pass();
    sums.add(loss);
  }
  return sums;
}

}  // namespace

void LossSums::add(const ModelLoss& loss) {
  mlm += loss.mlm_sum;
  nsp += loss.nsp_sum;
  predictions += static_cast<double>(loss.predictions);
  mlm_correct += static_cast<double>(loss.mlm_correct);
  rows += static_cast<double>(loss.rows);
  nsp_correct += static_cast<double>(loss.nsp_correct);
}

void LossSums::add_up(ProcessGroup& processes) {
  std::array<double, 6> sums{mlm, nsp, predictions, mlm_correct, rows, nsp_correct};
  processes.sum(sums);
  mlm = sums[0];
  nsp = sums[1];
  predictions = sums[2];
  mlm_correct = sums[3];
  rows = sums[4];
  nsp_correct = sums[5];
}

StepResult train_step(Model& model, Optimizer& optimizer, const TrainingBatch& batch, const ShardSet& shards,
                      const StepSetup& setup, const StepTeam& team) {
  StepResult result;
  team.exchange != nullptr ? team.exchange->begin() : model.clear_gradients();
  result.sums = do_passes(model, batch, shards, setup, team);
  if (team.exchange != nullptr) team.exchange->finish();
  result.sums.add_up(team.processes);
  result.gradient_norm = optimizer.gradient_norm();
  if (!std::isfinite(result.gradient_norm)) {
    fail("gradient", layer_with_bad_gradient(model), rows_text(all_rows(batch), 0, batch, shards), setup);
  }
  optimizer.step(setup.learning_rate);
  return result;
}

LossSums evaluate(Model& model, const Batch& rows, std::size_t micro_batch_rows) {
  const at::NoGradGuard no_gradients;
  LossSums sums;
  for (std::size_t first = 0; first < rows.rows; first += micro_batch_rows) {
    const std::size_t count = std::min(micro_batch_rows, rows.rows - first);
    sums.add(model.loss(model.batch_of(rows, first, count), {.dropout = false}));
  }
  return sums;
}

}  // namespace bertprep
