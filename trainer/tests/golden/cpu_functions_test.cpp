// Functions for CPUs against those of ATen in double: results and gradients.
#include <gtest/gtest.h>

#include <ATen/core/grad_mode.h>

#include <cmath>

#include "drawn_tensors.h"
#include "trainer/kernels.h"
#include "trainer/torch/functions.h"

namespace bertprep::test {
namespace {

struct LinearCase {
  std::int64_t rows, in, out;
};

void expect_linear(ProductPrecision precision, const LinearCase& sizes, double tolerance) {
  const Products products(precision);
  ASSERT_TRUE(products.blas().is_available());
  const at::Tensor input = drawn({sizes.rows, sizes.in}, 1);
  const at::Tensor weight = drawn({sizes.out, sizes.in}, 2);
  const at::Tensor bias = drawn({sizes.out}, 3);
  const at::Tensor gradient = drawn({sizes.rows, sizes.out}, 4);
  const at::Tensor result = linear(products, input, weight, bias);
  go_back(result, gradient);
  const at::Tensor x = in_double(input);
  const at::Tensor w = in_double(weight);
  const at::Tensor b = in_double(bias);
  const at::Tensor plain = at::linear(x, w, b);
  go_back(plain, gradient);
  EXPECT_LT(distance(result, plain), tolerance);
  EXPECT_LT(distance(input.grad(), x.grad()), tolerance);
  EXPECT_LT(distance(weight.grad(), w.grad()), tolerance);
  EXPECT_LT(distance(bias.grad(), b.grad()), 1e-4);
}

TEST(CpuFunctions, LinearEqualsATen) {
  for (const LinearCase& sizes : {LinearCase{1, 1, 1}, {70, 33, 65}, {5, 40, 3000}, {3000, 16, 7}, {257, 128, 512}}) {
    SCOPED_TRACE(std::to_string(sizes.rows) + " x " + std::to_string(sizes.in) + " x " + std::to_string(sizes.out));
    expect_linear(ProductPrecision::F32, sizes, 1e-3);
  }
}

TEST(CpuFunctions, LinearWithoutRowsHasGradientsOfZeros) {
  const Products products;
  const at::Tensor weight = drawn({5, 4}, 2);
  const at::Tensor bias = drawn({5}, 3);
  const at::Tensor result = linear(products, drawn({0, 4}, 1), weight, bias);
  go_back(result, at::zeros({0, 5}));
  EXPECT_EQ(weight.grad().abs().max().item<float>(), 0);
  EXPECT_EQ(bias.grad().abs().max().item<float>(), 0);
}

TEST(CpuFunctions, Bfloat16RoundsOperands) {
  const LinearCase sizes{64, 256, 48};
  expect_linear(ProductPrecision::Bf16AsF32, sizes, 0.4);
  expect_linear(ProductPrecision::Bf16, sizes, 0.6);
  const Products rounding(ProductPrecision::Bf16AsF32);
  const at::Tensor values = drawn({100, 100}, 7);
  const at::Tensor rounded = rounding.operand(values.detach());
  EXPECT_EQ(distance(rounded, values.to(at::kBFloat16)), 0);
  EXPECT_GT(distance(rounded, values), 0);
  EXPECT_TRUE(Products().operand(values.detach()).is_same(values.detach()) ||
              distance(Products().operand(values.detach()), values) == 0);
}

TEST(CpuFunctions, RoundingToBfloat16KeepsNaN) {
  const at::Tensor values = at::tensor({0.0F, -0.0F, 1e-45F, 3.3895314e38F, 3.4e38F, INFINITY, -INFINITY, NAN});
  at::Tensor rounded = at::empty_like(values);
  round_to_bf16(values.data_ptr<float>(), rounded.data_ptr<float>(), values.numel());
  EXPECT_TRUE(at::equal(rounded.narrow(0, 0, 7), values.narrow(0, 0, 7).to(at::kBFloat16).to(at::kFloat)));
  EXPECT_TRUE(std::isnan(rounded[7].item<float>()));
}

TEST(CpuFunctions, LossOfALinearMapEqualsATen) {
  for (const ProductPrecision precision :
       {ProductPrecision::F32, ProductPrecision::Bf16AsF32, ProductPrecision::Bf16}) {
    const double tolerance = precision == ProductPrecision::F32 ? 1e-5 : 0.03;
    const Products products(precision);
    const at::Tensor input = drawn({37, 24}, 1);
    const at::Tensor weight = drawn({501, 24}, 2);
    const at::Tensor bias = drawn({501}, 3);
    const at::Tensor labels = at::arange(37) * 13;
    const LabelLoss loss = linear_label_loss(products, input, weight, bias, labels, 0.25);
    (loss.sum * 2).backward();
    const at::Tensor x = in_double(input);
    const at::Tensor w = in_double(weight);
    const at::Tensor b = in_double(bias);
    const at::Tensor logits = at::linear(x, w, b);
    const at::Tensor plain = at::cross_entropy_loss(logits, labels, {}, at::Reduction::Sum);
    (plain * 0.5).backward();
    EXPECT_NEAR(loss.plain_sum, plain.item<double>(), tolerance * plain.item<double>());
    if (precision == ProductPrecision::F32) {
      EXPECT_EQ(loss.correct, logits.argmax(1).eq(labels).sum().item<std::int64_t>());
    }
    EXPECT_LT(distance(input.grad(), x.grad()), 10 * tolerance);
    EXPECT_LT(distance(weight.grad(), w.grad()), 10 * tolerance);
    EXPECT_LT(distance(bias.grad(), b.grad()), tolerance);
    const at::NoGradGuard no_gradients;
    const LabelLoss again = linear_label_loss(products, input, weight, bias, labels, 0.25);
    EXPECT_NEAR(again.plain_sum, loss.plain_sum, 1e-6 * loss.plain_sum);
  }
}

}  // namespace
}  // namespace bertprep::test
