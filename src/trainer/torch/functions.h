// Functions that ATen lacks or that are slow on CPUs.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

namespace bertprep {

// The consecutive rows of a batch in a tensor.
struct DropoutRows {
  std::uint64_t first = 0;  // its index in the whole batch
  std::int64_t count = 1;
};
// Dropout that is a function of `key` and the number of the row: on CPUs directly, without saved data for the backward
// pass, and independent of the division of the batch; elsewhere by the device's generator, seeded with the key and the
// first row.
at::Tensor dropout(const at::Tensor& values, double p, std::uint64_t key, const DropoutRows& rows = {});

// On devices: seeds the generator with `key` and the first row.
void seed_dropout(const at::Device& device, std::uint64_t key, const DropoutRows& rows);

struct LabelLoss {
  at::Tensor sum;            // f32 scalar, times the requested scale; differentiable
  double plain_sum = 0;      // without the scale
  std::int64_t correct = 0;  // rows whose largest logit is that of the label
};
// The sum over rows of -log softmax(logits)[label], times `scale`. On CPUs, the gradient overwrites the logits: nothing
// else may read them.
LabelLoss label_loss(const at::Tensor& logits, const at::Tensor& labels, double scale);

struct RowSums {
  double loss = 0;
  std::int64_t correct = 0;  // rows whose largest logit is that of the label
};
// Sums over the rows of `logits` (f32, contiguous, on the CPU), with `bias` (one value per column, or undefined) added
// to each. With `with_gradient` the logits are replaced by `scale` times their gradient, else only the bias is added.
// Rows are summed in their order, for any number of ATen's threads.
RowSums row_losses(at::Tensor& logits, const at::Tensor& bias, const at::Tensor& labels, double scale,
                   bool with_gradient);

}  // namespace bertprep
