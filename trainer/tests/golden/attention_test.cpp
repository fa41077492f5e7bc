// Attention, ours and libtorch's, against the formula in double: results and gradients.
#include <gtest/gtest.h>

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "drawn_tensors.h"
#include "trainer/torch/functions.h"

namespace bertprep::test {
namespace {

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

// Rows of `tokens` tokens, of which the last third of all but the first row is padding.
at::Tensor padding_mask(std::int64_t rows, std::int64_t tokens) {
  at::Tensor mask = at::zeros({rows, 1, 1, tokens});
  mask.narrow(3, tokens - tokens / 3, tokens / 3).narrow(0, 1, rows - 1).fill_(-10000);
  return mask;
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
  const at::Tensor mask = padding_mask(rows, tokens);
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

TEST(Attention, AttentionEqualsTheFormula) {
  for (const std::int64_t tokens : {1, 5, 16, 33, 128}) {
    for (const double p : {0.0, 0.3}) {
      SCOPED_TRACE(std::to_string(tokens) + " tokens, dropout " + std::to_string(p));
      expect_attention(tokens, p);
    }
  }
}

TEST(Attention, CausalAttentionEqualsTheFormula) {
  // Tokens attend to earlier ones in spans of 128.
  for (const std::int64_t tokens : {1, 5, 127, 128, 129, 300}) {
    for (const double p : {0.0, 0.3}) {
      SCOPED_TRACE(std::to_string(tokens) + " tokens, dropout " + std::to_string(p));
      expect_attention(tokens, p, true, Inputs::kThree);
      expect_attention(tokens, p, true, Inputs::kOne);
    }
  }
}

// What a GPU runs, on the CPU. Results of padding are used nowhere, and no gradients come from there.
void expect_device_attention(std::int64_t tokens, bool is_causal, at::ScalarType type, double tolerance) {
  const std::int64_t rows = 3;
  const std::int64_t hidden = 32;
  const AttentionSetup setup{
      .heads = 2, .is_causal = is_causal, .divisor = is_causal ? 3.0 : 1.0, .dropout = 0, .rows = {0, rows}};
  std::vector<at::Tensor> inputs;
  std::vector<at::Tensor> plain_inputs;
  for (std::uint64_t i = 0; i < 3; ++i) {
    inputs.push_back(drawn({rows * tokens, hidden}, i).detach().to(type).set_requires_grad(true));
    plain_inputs.push_back(in_double(inputs.back()));
  }
  const at::Tensor mask = padding_mask(rows, tokens);
  const at::Tensor is_token = mask.eq(0).view({rows * tokens, 1});
  const at::Tensor gradient = (drawn({rows * tokens, hidden}, 8) * is_token).to(type).to(at::kFloat);
  const at::Tensor mixed = device_attention(inputs[0], inputs[1], inputs[2], mask, setup);
  ASSERT_EQ(mixed.scalar_type(), type);
  go_back(mixed, gradient);
  const at::Tensor plain =
      plain_attention(plain_inputs[0], plain_inputs[1], plain_inputs[2], mask, setup, at::ones({1}, at::kDouble));
  go_back(plain, gradient);
  EXPECT_LT(distance(mixed * is_token, plain * is_token), tolerance);
  for (std::size_t i = 0; i < 3; ++i) {
    const at::Tensor expected = plain_inputs[i].grad();
    // Sums over many tokens are large, and rounded to the type.
    const double scale = std::max(1.0, expected.abs().max().item<double>());
    EXPECT_LT(distance(inputs[i].grad(), expected), 2 * tolerance * scale) << i;
  }
}

TEST(Attention, OfDevicesEqualsTheFormula) {
  // Its own blocks have 32 to 512 tokens.
  for (const std::int64_t tokens : {1, 5, 32, 129, 300, 513}) {
    for (const bool is_causal : {false, true}) {
      SCOPED_TRACE(std::to_string(tokens) + " tokens" + (is_causal ? ", causal" : ""));
      expect_device_attention(tokens, is_causal, at::kFloat, 1e-5);
      expect_device_attention(tokens, is_causal, at::kBFloat16, 0.05);
    }
  }
}

// With values of 1 in the diagonal, the results are the shares.
struct Shares {
  at::Tensor mixed, value_gradient;
};

Shares shares(double p, std::uint64_t key, const at::Tensor& gradient) {
  const std::int64_t tokens = gradient.size(1);
  const at::Tensor value = at::eye(tokens).set_requires_grad(true);
  const AttentionSetup setup{.dropout = p, .dropout_key = key, .rows = {5, 1}};
  const at::Tensor mixed = device_attention(drawn({tokens, tokens}, 1), drawn({tokens, tokens}, 2), value,
                                            at::zeros({1, 1, 1, tokens}), setup);
  go_back(mixed, gradient);
  return {mixed.detach(), value.grad()};
}

TEST(Attention, OfDevicesDropsSharesByTheKey) {
  const double p = 0.3;
  const at::Tensor gradient = drawn({96, 96}, 8).detach();
  const Shares dropped = shares(p, 99, gradient);
  const at::Tensor is_kept = dropped.mixed.gt(0);
  EXPECT_NEAR(is_kept.to(at::kDouble).mean().item<double>(), 1 - p, 0.03);
  EXPECT_LT(distance(dropped.mixed, shares(0, 99, gradient).mixed * is_kept / (1 - p)), 1e-5);
  EXPECT_LT(distance(dropped.value_gradient, at::matmul(dropped.mixed.transpose(0, 1), gradient)), 1e-4);
  EXPECT_TRUE(at::equal(shares(p, 99, gradient).mixed, dropped.mixed));
  EXPECT_FALSE(at::equal(shares(p, 98, gradient).mixed, dropped.mixed));
}

TEST(Attention, MaskedTokensGetNoShareAtAll) {
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
