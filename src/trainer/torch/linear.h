// Linear maps on CPUs, with their gradients.
#pragma once

#include <ATen/ATen.h>

#include "trainer/torch/functions.h"
#include "trainer/torch/products.h"

namespace bertprep {

// How the matrix of a linear map is stored: one row per output, as in PyTorch's Linear, or one row per input, as in
// Conv1D of HuggingFace's GPT-2.
enum class WeightLayout { kOutByIn, kInByOut };

// input (f32 rows x in) times weight (f32), plus bias: f32 rows x out. Differentiable.
// `products` must live until the end of the backward pass.
at::Tensor linear(const Products& products, const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias,
                  WeightLayout layout = WeightLayout::kOutByIn);

// label_loss() of linear() with a weight of out x in, and a bias that may be undefined: the gradient overwrites the
// results, which nothing else reads.
LabelLoss linear_label_loss(const Products& products, const at::Tensor& input, const at::Tensor& weight,
                            const at::Tensor& bias, const at::Tensor& labels, double scale);

}  // namespace bertprep
