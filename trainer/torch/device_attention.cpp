// Attention by ATen: one operation if libtorch has it.
#include <ATen/ATen.h>
#include <torch/version.h>

#include <cmath>
#include <limits>

#include "trainer/torch/functions.h"

namespace bertprep {
namespace {

// rows x heads x tokens x width
struct ByHead {
  at::Tensor query, key, value;
};

at::Tensor by_head(const at::Tensor& part, const AttentionSetup& setup, std::int64_t tokens) {
  return part.view({setup.rows.count, tokens, setup.heads, part.size(1) / setup.heads}).transpose(1, 2);
}

at::Tensor mixed_in_steps(const ByHead& in, const at::Tensor& mask, const AttentionSetup& setup) {
  const double scale = 1 / (std::sqrt(static_cast<double>(in.query.size(3))) * setup.divisor);
  at::Tensor scores = at::matmul(in.query * scale, in.key.transpose(2, 3)).to(at::kFloat) + mask;
  if (setup.is_causal) {
    const std::int64_t tokens = in.query.size(2);
    const at::Tensor later = at::ones({tokens, tokens}, mask.options().dtype(at::kBool)).triu(1);
    scores = scores.masked_fill(later, -std::numeric_limits<float>::infinity());
  }
  const at::Tensor shares = dropout(at::softmax(scores, 3), setup.dropout, setup.dropout_key, setup.rows);
  return at::matmul(shares.to(in.value.scalar_type()), in.value);
}

#if TORCH_VERSION_MAJOR >= 2

// In libtorch 2.0 and newer.
at::Tensor mixed_at_once(const ByHead& in, const at::Tensor& mask, const AttentionSetup& setup) {
  if (setup.dropout > 0) seed_dropout(in.query.device(), setup.dropout_key, setup.rows);
  const at::Tensor query = setup.divisor == 1 ? in.query : in.query * (1 / setup.divisor);
  // Padding comes after all tokens, so with causal attention no token attends to it.
  if (setup.is_causal) {
    return at::scaled_dot_product_attention(query, in.key, in.value, {}, setup.dropout, true);
  }
  return at::scaled_dot_product_attention(query, in.key, in.value, mask.to(query.scalar_type()), setup.dropout, false);
}

#endif

using Mix = at::Tensor (*)(const ByHead&, const at::Tensor&, const AttentionSetup&);

at::Tensor attention_by(Mix mix, const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                        const at::Tensor& mask, const AttentionSetup& setup) {
  const std::int64_t tokens = mask.size(3);
  const ByHead in{by_head(query, setup, tokens), by_head(key, setup, tokens), by_head(value, setup, tokens)};
  return mix(in, mask, setup).transpose(1, 2).reshape({setup.rows.count * tokens, query.size(1)});
}

#if TORCH_VERSION_MAJOR >= 2
constexpr Mix kDeviceMix = mixed_at_once;
#else
constexpr Mix kDeviceMix = mixed_in_steps;
#endif

}  // namespace

at::Tensor attention_by_aten(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                             const at::Tensor& mask, const AttentionSetup& setup) {
  const bool in_steps = query.is_cpu() && setup.dropout > 0;
  return in_steps ? attention_by(mixed_in_steps, query, key, value, mask, setup)
                  : device_attention(query, key, value, mask, setup);
}

at::Tensor device_attention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                            const at::Tensor& mask, const AttentionSetup& setup) {
  return attention_by(kDeviceMix, query, key, value, mask, setup);
}

}  // namespace bertprep
