#include "trainer/torch/models.h"

#include "trainer/torch/functions.h"

namespace bertprep {
namespace {

std::string gpt2_layer_name(std::int64_t layer) {
  return "transformer.h." + std::to_string(layer) + ".";
}

}  // namespace

at::Tensor Gpt2::embed(const ModelBatch& batch, const PassContext& context) const {
  at::Tensor sum = at::embedding(weight("transformer.wte.weight"), batch.input_ids);
  sum = sum + weight("transformer.wpe.weight").narrow(0, 0, batch.tokens());
  look(context, "embeddings", sum);
  return drop(sum, config().hidden_dropout, context, kEmbeddings).view({-1, config().hidden_size});
}

at::Tensor Gpt2::self_attention(const at::Tensor& hidden, std::int64_t layer, const PassContext& context) const {
  const ModelPass& pass = context.pass;
  const AttentionSetup setup{.heads = config().attention_heads,
                             .is_causal = true,
                             .divisor = config().scale_by_layer ? static_cast<double>(layer + 1) : 1.0,
                             .dropout = pass.dropout ? config().attention_dropout : 0,
                             .dropout_key = dropout_key(pass, place_in_layer(layer, kAttentionShares)),
                             .rows = {pass.first_row, context.mask.size(0)}};
  const at::Tensor all = linear(hidden, gpt2_layer_name(layer) + "attn.c_attn", WeightLayout::kInByOut);
  if (products() != nullptr) return attention(products()->blas(), all, context.mask, setup);
  const auto parts = all.split(config().hidden_size, 1);
  return attention_by_aten(parts[0], parts[1], parts[2], context.mask, setup);
}

Gpt2::Stream Gpt2::layer(const Stream& stream, std::int64_t layer, const PassContext& context) const {
  const std::string name = gpt2_layer_name(layer);
  at::Tensor out = self_attention(norm(stream.hidden, name + "ln_1"), layer, context);
  out = linear(out, name + "attn.c_proj", WeightLayout::kInByOut).to(at::kFloat);
  at::Tensor hidden =
      stream.hidden + drop(out, config().hidden_dropout, context, place_in_layer(layer, kAttentionOutput));
  look(context, name + "attn", hidden);
  out = activation(linear(norm(hidden, name + "ln_2"), name + "mlp.c_fc", WeightLayout::kInByOut));
  out = linear(out, name + "mlp.c_proj", WeightLayout::kInByOut).to(at::kFloat);
  hidden = hidden + drop(out, config().hidden_dropout, context, place_in_layer(layer, kOutput));
  look(context, name + "mlp", hidden);
  return {hidden, {}};
}

ModelLoss Gpt2::pass_forth(const ModelBatch& batch, const PassContext& context) const {
  const at::Tensor last = all_layers({embed(batch, context), {}}, context).hidden;
  const at::Tensor hidden = norm(last.index_select(0, batch.label_rows), "transformer.ln_f");
  look(context, "transformer.ln_f", hidden);
  const LabelLoss next = decoder_loss(hidden, {}, batch, context, "lm_head");
  ModelLoss loss;
  loss.total = next.sum;
  loss.predictions = batch.label_ids.numel();
  loss.rows = batch.rows();
  loss.mlm_sum = next.plain_sum;
  loss.mlm_correct = next.correct;
  return loss;
}

}  // namespace bertprep
