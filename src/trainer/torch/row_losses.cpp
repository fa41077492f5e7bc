#include "trainer/torch/row_losses.h"

#include <ATen/Parallel.h>

#include <vector>

#include "trainer/kernels.h"

namespace bertprep {
namespace {

RowSums total(const std::vector<RowLoss>& rows, const std::int64_t* labels) {
  RowSums sums;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    sums.loss += rows[row].loss;
    if (rows[row].predicted == labels[row]) ++sums.correct;
  }
  return sums;
}

}  // namespace

RowSums row_losses(at::Tensor& logits, const at::Tensor& bias, const at::Tensor& labels, double scale,
                   bool with_gradient) {
  std::vector<RowLoss> rows(static_cast<std::size_t>(logits.size(0)));
  const std::int64_t classes = logits.size(1);
  float* const values = logits.data_ptr<float>();
  const float* const added = bias.defined() ? bias.data_ptr<float>() : nullptr;
  const std::int64_t* const label = labels.data_ptr<std::int64_t>();
  at::parallel_for(0, logits.size(0), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      float* const logit = values + row * classes;
      if (added != nullptr) add_values(logit, added, classes);
      rows[static_cast<std::size_t>(row)] =
          with_gradient ? softmax_loss_row(logit, classes, label[row], static_cast<float>(scale))
                        : softmax_loss_row_only(logit, classes, label[row]);
    }
  });
  return total(rows, label);
}

}  // namespace bertprep
