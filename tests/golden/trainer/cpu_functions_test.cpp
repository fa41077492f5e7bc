// Functions for CPUs against those of ATen in double: results and gradients.
#include <gtest/gtest.h>

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/autograd.h>

#include "trainer/counter_random.h"
#include "trainer/kernels.h"
#include "trainer/parameters.h"
#include "trainer/torch/functions.h"

namespace bertprep::test {
namespace {

at::Tensor drawn(at::IntArrayRef shape, std::uint64_t stream) {
  at::Tensor values = at::empty(shape, at::kFloat);
  fill_normal(values.data_ptr<float>(), values.numel(), 1, 3, stream);
  return values.set_requires_grad(true);
}

at::Tensor in_double(const at::Tensor& values) {
  return values.detach().to(at::kDouble).set_requires_grad(true);
}

double distance(const at::Tensor& a, const at::Tensor& b) {
  if (a.numel() == 0) return 0;
  return (a.detach().to(at::kDouble) - b.detach().to(at::kDouble)).abs().max().item<double>();
}

void go_back(const at::Tensor& result, const at::Tensor& gradient) {
  torch::autograd::backward({result}, {gradient.detach().to(result.scalar_type())});
}

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

// The formula, with the dropout of attention weights given as factors.
at::Tensor plain_attention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                           const at::Tensor& mask, const AttentionSetup& setup, const at::Tensor& factors) {
  const std::int64_t rows = mask.size(0);
  const std::int64_t tokens = mask.size(3);
  const auto by_head = [&](const at::Tensor& part) {
    return part.view({rows, tokens, setup.heads, -1}).transpose(1, 2);
  };
  const double scale = 1 / std::sqrt(static_cast<double>(query.size(1) / setup.heads)) / setup.divisor;
  at::Tensor scores = at::matmul(by_head(query), by_head(key).transpose(2, 3)) * scale + mask.to(at::kDouble);
  if (setup.is_causal) {
    const at::Tensor later = at::ones({tokens, tokens}, at::kBool).triu(1);
    scores = scores.masked_fill(later, -std::numeric_limits<double>::infinity());
  }
  const at::Tensor mixed = at::matmul(at::softmax(scores, 3) * factors, by_head(value));
  return mixed.transpose(1, 2).reshape({rows * tokens, query.size(1)});
}

// Query, key and value as three tensors, or side by side in one.
enum class Inputs { kThree, kOne };

void expect_attention(std::int64_t tokens, double p, bool is_causal = false, Inputs how = Inputs::kThree) {
  const std::int64_t rows = 3;
  const std::int64_t heads = 2;
  const std::int64_t hidden = 10;
  const Blas blas;
  const AttentionSetup setup{.heads = heads,
                             .is_causal = is_causal,
                             .divisor = is_causal ? 3.0 : 1.0,
                             .dropout = p,
                             .dropout_key = 99,
                             .rows = {5, rows}};
  std::vector<at::Tensor> inputs;
  std::vector<at::Tensor> plain_inputs;
  for (std::uint64_t i = 0; i < 3; ++i) {
    inputs.push_back(drawn({rows * tokens, hidden}, i));
    plain_inputs.push_back(in_double(inputs.back()));
  }
  at::Tensor mask = at::zeros({rows, 1, 1, tokens});
  mask.narrow(3, tokens - tokens / 3, tokens / 3).narrow(0, 1, 2).fill_(-10000);
  const at::Tensor gradient = drawn({rows * tokens, hidden}, 8);
  const at::Tensor mixed = how == Inputs::kOne ? attention(blas, at::cat(inputs, 1), mask, setup)
                                               : attention(blas, inputs[0], inputs[1], inputs[2], mask, setup);
  go_back(mixed, gradient);
  const at::Tensor factors = dropout(at::ones({rows, heads, tokens, tokens}), p, 99, {5, rows}).to(at::kDouble);
  const at::Tensor plain = plain_attention(plain_inputs[0], plain_inputs[1], plain_inputs[2], mask, setup, factors);
  go_back(plain, gradient);
  EXPECT_LT(distance(mixed, plain), 1e-5);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(distance(inputs[i].grad(), plain_inputs[i].grad()), 2e-5) << i;
}

TEST(CpuFunctions, AttentionEqualsTheFormula) {
  for (const std::int64_t tokens : {1, 5, 16, 33, 128}) {
    for (const double p : {0.0, 0.3}) {
      SCOPED_TRACE(std::to_string(tokens) + " tokens, dropout " + std::to_string(p));
      expect_attention(tokens, p);
    }
  }
}

TEST(CpuFunctions, CausalAttentionEqualsTheFormula) {
  // Tokens attend to earlier ones in spans of 128.
  for (const std::int64_t tokens : {1, 5, 127, 128, 129, 300}) {
    for (const double p : {0.0, 0.3}) {
      SCOPED_TRACE(std::to_string(tokens) + " tokens, dropout " + std::to_string(p));
      expect_attention(tokens, p, true, Inputs::kThree);
      expect_attention(tokens, p, true, Inputs::kOne);
    }
  }
}

TEST(CpuFunctions, MaskedTokensGetNoShareAtAll) {
  const Blas blas;
  const at::Tensor query = drawn({4, 2}, 1);
  const at::Tensor key = drawn({4, 2}, 2);
  const at::Tensor value = at::tensor({1.0F, 1.0F, 1.0F, 1.0F, 1.0F, 1.0F, INFINITY, INFINITY}).view({4, 2});
  const at::Tensor mask = at::tensor({0.0F, 0.0F, 0.0F, -10000.0F}).view({1, 1, 1, 4});
  const at::NoGradGuard no_gradients;
  // Infinity times a weight of exactly 0 is not a number; times a tiny one, it would be infinity.
  EXPECT_TRUE(attention(blas, query, key, value, mask, {.rows = {0, 1}}).isnan().all().item<bool>());
}

}  // namespace
}  // namespace bertprep::test
