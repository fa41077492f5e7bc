// Linear maps on CPUs, with their gradients.
#pragma once

#include <ATen/ATen.h>

#include "trainer/torch/functions.h"
#include "trainer/torch/products.h"

namespace bertprep {

// input (f32 rows x in) times weight (f32 out x in) transposed, and bias added: f32 rows x out. Differentiable.
// `products` must live until the backward pass is over.
at::Tensor linear(const Products& products, const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias);

// label_loss() of linear(): the results are turned into their gradient where they are, and nobody else sees them.
LabelLoss linear_label_loss(const Products& products, const at::Tensor& input, const at::Tensor& weight,
                            const at::Tensor& bias, const at::Tensor& labels, double scale);

}  // namespace bertprep
