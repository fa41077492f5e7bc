
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "trainer/kernels.h"
#include "trainer/torch/functions.h"

namespace bertprep {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

// This many columns are summed at a time: their sums stay in the L1 cache.
constexpr std::int64_t kColumnsAtOnce = 1024;

at::Tensor column_sums(const at::Tensor& matrix) {
  at::Tensor sums = at::zeros({matrix.size(1)}, at::kFloat);
  const float* const values = matrix.data_ptr<float>();
  float* const out = sums.data_ptr<float>();
  const std::int64_t columns = matrix.size(1);
  at::parallel_for(0, columns, 32, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t first = begin; first < end; first += kColumnsAtOnce) {
      const std::int64_t count = std::min(kColumnsAtOnce, end - first);
      for (std::int64_t row = 0; row < matrix.size(0); ++row) {
        add_values(out + first, values + row * columns + first, count);
      }
    }
  });
  return sums;
}

// `input` and `weight` as operands of products.
void remember(AutogradContext* context, const Products* products, const at::Tensor& input, const at::Tensor& weight,
              WeightLayout layout, bool has_bias) {
  context->save_for_backward({input, weight});
  context->saved_data["products"] = reinterpret_cast<std::int64_t>(products);
  context->saved_data["in_by_out"] = layout == WeightLayout::kInByOut;
  context->saved_data["has_bias"] = has_bias;
}

// The gradients of input, weight and bias from that of the results.
tensor_list gradients_of(AutogradContext* context, const at::Tensor& gradient, bool is_last_use) {
  const tensor_list saved = context->get_saved_variables();
  const at::Tensor& input = saved[0];
  const at::Tensor& weight = saved[1];
  const auto& products = *reinterpret_cast<const Products*>(context->saved_data["products"].toInt());
  const bool in_by_out = context->saved_data["in_by_out"].toBool();
  at::Tensor of_bias = context->saved_data["has_bias"].toBool() ? column_sums(gradient) : at::Tensor();
  const at::Tensor out = is_last_use ? products.last_operand(gradient) : products.operand(gradient);
  at::Tensor of_input = at::empty({input.size(0), input.size(1)}, at::kFloat);
  products.multiply({out}, {weight, in_by_out}, of_input);
  at::Tensor of_weight = at::empty({weight.size(0), weight.size(1)}, at::kFloat);
  in_by_out ? products.multiply({input, true}, {out}, of_weight) : products.multiply({out, true}, {input}, of_weight);
  return {of_input, of_weight, of_bias};
}

struct Linear : torch::autograd::Function<Linear> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input, const at::Tensor& weight,
                            const at::Tensor& bias, const Products* products, bool in_by_out) {
    const at::Tensor in = products->operand(input);
    const at::Tensor factor = products->operand(weight);
    at::Tensor result = at::empty({input.size(0), bias.size(0)}, at::kFloat);
    result.copy_(bias.expand_as(result));
    products->multiply({in}, {factor, !in_by_out}, result, true);
    remember(context, products, in, factor, in_by_out ? WeightLayout::kInByOut : WeightLayout::kOutByIn, true);
    return result;
  }
  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    tensor_list result = gradients_of(context, gradients[0].contiguous(), false);
    result.resize(5);
    return result;
  }
};

struct LinearLoss : torch::autograd::Function<LinearLoss> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input, const at::Tensor& weight,
                            const at::Tensor& bias, const at::Tensor& labels, double scale, bool with_gradient,
                            const Products* products, RowSums* sums) {
    const at::Tensor in = products->operand(input);
    const at::Tensor factor = products->operand(weight);
    at::Tensor logits = at::empty({input.size(0), weight.size(0)}, at::kFloat);
    products->multiply({in}, {factor, true}, logits);
    const bool has_bias = bias.numel() > 0;
    *sums = row_losses(logits, has_bias ? bias : at::Tensor(), labels, scale, with_gradient);
    remember(context, products, in, factor, WeightLayout::kOutByIn, has_bias);
    context->saved_data["gradient"] = logits;
    return at::full({}, sums->loss * scale, at::kFloat);
  }
  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    at::Tensor gradient = context->saved_data["gradient"].toTensor();
    context->saved_data.erase("gradient");
    const auto factor = gradients[0].item<float>();
    if (factor != 1.0F) gradient.mul_(factor);
    tensor_list result = gradients_of(context, gradient, true);
    result.resize(8);
    return result;
  }
};

}  // namespace

at::Tensor linear(const Products& products, const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias,
                  WeightLayout layout) {
  return Linear::apply(input, weight, bias, &products, layout == WeightLayout::kInByOut);
}

LabelLoss linear_label_loss(const Products& products, const at::Tensor& input, const at::Tensor& weight,
                            const at::Tensor& bias, const at::Tensor& labels, double scale) {
  RowSums sums;
  LabelLoss loss;
  // autograd does not accept undefined tensors.
  const at::Tensor added = bias.defined() ? bias : at::empty({0}, at::kFloat);
  loss.sum = LinearLoss::apply(input, weight, added, labels, scale, at::GradMode::is_enabled(), &products, &sums);
  loss.plain_sum = sums.loss;
  loss.correct = sums.correct;
  return loss;
}

}  // namespace bertprep
