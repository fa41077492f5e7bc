// Functions that ATen lacks or has only slowly on CPUs.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

namespace bertprep {

// The rows of a batch that a tensor holds, one behind the other.
struct DropoutRows {
  std::uint64_t first = 0;  // its number in the whole batch
  std::int64_t count = 1;
};
// Dropout that is a function of `key` and the number of the row: on CPUs directly, so that nothing is kept for the
// backward pass, and the same however the batch is cut; elsewhere by the device's generator, which is seeded with the
// key and the first row.
at::Tensor dropout(const at::Tensor& values, double p, std::uint64_t key, const DropoutRows& rows = {});

// On devices: what their generator draws next is a function of `key` and the first row.
void seed_dropout(const at::Device& device, std::uint64_t key, const DropoutRows& rows);

struct LabelLoss {
  at::Tensor sum;            // f32 scalar, times the scale that was asked for; differentiable
  double plain_sum = 0;      // without the scale
  std::int64_t correct = 0;  // rows whose largest logit is that of the label
};
// The sum over rows of -log softmax(logits)[label], times `scale`. On CPUs the logits' memory becomes that of their
// gradient: nobody else may read them.
LabelLoss label_loss(const at::Tensor& logits, const at::Tensor& labels, double scale);

struct RowSums {
  double loss = 0;
  std::int64_t correct = 0;  // rows whose largest logit is that of the label
};
// Sums over the rows of `logits` (f32, contiguous, on the CPU), with `bias` (a value a column, or undefined) added to
// each. With `with_gradient` the logits are replaced by `scale` times their gradient, else only the bias is added. Rows
// are summed in their order, however many of ATen's threads there are.
RowSums row_losses(at::Tensor& logits, const at::Tensor& bias, const at::Tensor& labels, double scale,
                   bool with_gradient);

}  // namespace bertprep
