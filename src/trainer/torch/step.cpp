#include "trainer/torch/step.h"

#include <algorithm>
#include <cmath>

#include "bertprep/base/error.h"
#include "trainer/counter_random.h"

namespace bertprep {
namespace {

constexpr std::size_t kRowsNamed = 3;

double share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

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

// The rows of the micro-batch that a value's first dimension stands for.
std::size_t row_of(std::int64_t index, std::int64_t size, const BertBatch& batch) {
  if (size == batch.rows()) return static_cast<std::size_t>(index);
  if (size == batch.rows() * batch.tokens()) return static_cast<std::size_t>(index / batch.tokens());
  return static_cast<std::size_t>(batch.masked_rows[index].item<std::int64_t>() / batch.tokens());
}

struct Fault {
  std::string layer;
  std::vector<std::size_t> rows;  // of the micro-batch
};

// Goes through the model once more and looks where the first value appears that is no finite number.
Fault find_fault(Bert& model, const BertBatch& batch, const BertPass& pass) {
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
      "the " + what + " is no finite number, first in " + layer + ", rows " + rows,
      "step " + std::to_string(setup.step),
      "the learning rate " + std::to_string(setup.learning_rate) + " may be too high; earlier checkpoints are sound");
}

std::string layer_with_bad_gradient(const Bert& model) {
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

}  // namespace

void LossSums::add(const BertLoss& loss) {
  mlm += loss.mlm;
  nsp += loss.nsp;
  ++passes;
  predictions += loss.predictions;
  mlm_correct += loss.mlm_correct;
  rows += loss.rows;
  nsp_correct += loss.nsp_correct;
}

double LossSums::mlm_accuracy() const {
  return share(mlm_correct, predictions);
}

double LossSums::nsp_accuracy() const {
  return share(nsp_correct, rows);
}

StepResult train_step(Bert& model, Optimizer& optimizer, const TrainingBatch& batch, const ShardSet& shards,
                      const StepSetup& setup) {
  StepResult result;
  model.clear_gradients();
  const std::size_t passes = batch.rows.rows / setup.micro_batch_rows;
  for (std::size_t i = 0; i < passes; ++i) {
    const std::size_t first = i * setup.micro_batch_rows;
    const BertBatch part = make_bert_batch(batch.rows, first, setup.micro_batch_rows, model.device());
    const auto number = static_cast<std::uint64_t>(setup.step) * passes + i;
    const BertPass pass{.dropout = true,
                        .dropout_key = mixed_bits(mixed_bits(setup.seed) + number),
                        .loss_scale = 1.0 / static_cast<double>(passes)};
    const BertLoss loss = model.loss(part, pass);
    if (!std::isfinite(loss.mlm + loss.nsp)) {
      const Fault fault = find_fault(model, part, pass);
      fail("loss", fault.layer, rows_text(fault.rows, first, batch, shards), setup);
    }
    loss.total.backward();
    result.sums.add(loss);
  }
  result.gradient_norm = optimizer.gradient_norm();
  if (!std::isfinite(result.gradient_norm)) {
    fail("gradient", layer_with_bad_gradient(model), rows_text(all_rows(batch), 0, batch, shards), setup);
  }
  optimizer.step(setup.learning_rate);
  return result;
}

LossSums evaluate(Bert& model, const Batch& rows, std::size_t micro_batch_rows) {
  const at::NoGradGuard no_gradients;
  LossSums sums;
  for (std::size_t first = 0; first < rows.rows; first += micro_batch_rows) {
    const std::size_t count = std::min(micro_batch_rows, rows.rows - first);
    sums.add(model.loss(make_bert_batch(rows, first, count, model.device()), {.dropout = false}));
  }
  return sums;
}

}  // namespace bertprep
