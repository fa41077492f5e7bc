// Tensors with drawn values, and what compares them with others in double.
#pragma once

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include <cstdint>

#include "trainer/parameters.h"

namespace bertprep::test {

inline at::Tensor drawn(at::IntArrayRef shape, std::uint64_t stream) {
  at::Tensor values = at::empty(shape, at::kFloat);
  fill_normal(values.data_ptr<float>(), values.numel(), 1, 3, stream);
  return values.set_requires_grad(true);
}

inline at::Tensor in_double(const at::Tensor& values) {
  return values.detach().to(at::kDouble).set_requires_grad(true);
}

inline double distance(const at::Tensor& a, const at::Tensor& b) {
  if (a.numel() == 0) return 0;
  return (a.detach().to(at::kDouble) - b.detach().to(at::kDouble)).abs().max().item<double>();
}

inline void go_back(const at::Tensor& result, const at::Tensor& gradient) {
  torch::autograd::backward({result}, {gradient.detach().to(result.scalar_type())});
}

}  // namespace bertprep::test
