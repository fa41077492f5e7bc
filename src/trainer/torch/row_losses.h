// The losses of all rows of a matrix of logits, in ATen's threads.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

namespace bertprep {

struct RowSums {
  double loss = 0;
  std::int64_t correct = 0;  // rows whose largest logit is that of the label
};
// Sums over the rows of `logits` (f32, contiguous, on the CPU), with `bias` (a value a column, or undefined) added to
// each. With `with_gradient` the logits are replaced by `scale` times their gradient, else only the bias is added. Rows
// are summed in their order, however many threads there are.
RowSums row_losses(at::Tensor& logits, const at::Tensor& bias, const at::Tensor& labels, double scale,
                   bool with_gradient);

}  // namespace bertprep
