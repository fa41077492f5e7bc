#include "trainer/torch/models.h"

#include "trainer/torch/functions.h"

namespace bertprep {
namespace {

std::string layer_name(std::int64_t layer) {
  return "bert.encoder.layer." + std::to_string(layer) + ".";
}

}  // namespace

at::Tensor Bert::embed(const ModelBatch& batch, const PassContext& context) const {
  const std::string name = "bert.embeddings.";
  // Padding is token 0: its embedding is trained only through the decoder.
  at::Tensor sum = at::embedding(weight(name + "word_embeddings.weight"), batch.input_ids, 0);
  sum = sum + weight(name + "position_embeddings.weight").narrow(0, 0, batch.tokens());
  sum = sum + at::embedding(weight(name + "token_type_embeddings.weight"), batch.segment_ids);
  const at::Tensor normed = norm(sum, name + "LayerNorm");
  look(context, "embeddings", normed);
  return drop(normed, config().hidden_dropout, context, kEmbeddings).view({-1, config().hidden_size});
}

at::Tensor Bert::self_attention(const at::Tensor& hidden, std::int64_t layer, const PassContext& context) const {
  const std::string name = layer_name(layer) + "attention.self.";
  const ModelPass& pass = context.pass;
  const AttentionSetup setup{.heads = config().attention_heads,
                             .dropout = pass.dropout ? config().attention_dropout : 0,
                             .dropout_key = dropout_key(pass, place_in_layer(layer, kAttentionShares)),
                             .rows = {pass.first_row, context.mask.size(0)}};
  const at::Tensor query = linear(hidden, name + "query");
  const at::Tensor key = linear(hidden, name + "key");
  const at::Tensor value = linear(hidden, name + "value");
  return products() != nullptr ? attention(products()->blas(), query, key, value, context.mask, setup)
                               : attention_by_aten(query, key, value, context.mask, setup);
}

Bert::Stream Bert::layer(const Stream& stream, std::int64_t layer, const PassContext& context) const {
  const std::string name = layer_name(layer);
  const bool pre_norm = config().pre_norm;
  at::Tensor out =
      linear(self_attention(stream.hidden, layer, context), name + "attention.output.dense").to(at::kFloat);
  out = drop(out, config().hidden_dropout, context, place_in_layer(layer, kAttentionOutput));
  at::Tensor residual = pre_norm ? out + stream.residual : out + stream.hidden;
  const at::Tensor attended = norm(residual, name + "attention.output.LayerNorm");
  look(context, name + "attention", attended);
  out = linear(activation(linear(attended, name + "intermediate.dense")), name + "output.dense").to(at::kFloat);
  out = drop(out, config().hidden_dropout, context, place_in_layer(layer, kOutput));
  residual = out + (pre_norm ? residual : attended);
  at::Tensor hidden = norm(residual, name + "output.LayerNorm");
  look(context, name + "output", hidden);
  return {hidden, residual};
}

LabelLoss Bert::mlm_loss(const at::Tensor& sequence, const ModelBatch& batch, const PassContext& context) const {
  const std::string name = "cls.predictions.";
  at::Tensor hidden = sequence.index_select(0, batch.label_rows);
  hidden = norm(activation(linear(hidden, name + "transform.dense")), name + "transform.LayerNorm");
  look(context, "cls.predictions.transform", hidden);
  return decoder_loss(hidden, weight(name + "bias"), batch, context, "cls.predictions");
}

LabelLoss Bert::nsp_loss(const at::Tensor& sequence, const ModelBatch& batch, const PassContext& context) const {
  const at::Tensor first = sequence.view({batch.rows(), batch.tokens(), -1}).select(1, 0);
  const at::Tensor pooled = linear(first, "bert.pooler.dense").tanh();
  look(context, "bert.pooler", pooled);
  const at::Tensor logits = linear(pooled, "cls.seq_relationship");
  look(context, "cls.seq_relationship", logits);
  const auto rows = static_cast<double>(batch.rows());
  return label_loss(logits, batch.next_labels, 1 / (context.pass.nsp_divisor > 0 ? context.pass.nsp_divisor : rows));
}

ModelLoss Bert::pass_forth(const ModelBatch& batch, const PassContext& context) const {
  const at::Tensor embedded = embed(batch, context);
  const Stream start{embedded, config().pre_norm ? at::zeros_like(embedded) : embedded};
  const at::Tensor sequence = all_layers(start, context).hidden;
  const LabelLoss mlm = mlm_loss(sequence, batch, context);
  const LabelLoss nsp = nsp_loss(sequence, batch, context);
  ModelLoss loss;
  loss.total = mlm.sum + nsp.sum;
  loss.predictions = batch.label_ids.numel();
  loss.rows = batch.rows();
  loss.mlm_sum = mlm.plain_sum;
  loss.nsp_sum = nsp.plain_sum;
  loss.mlm_correct = mlm.correct;
  loss.nsp_correct = nsp.correct;
  return loss;
}

}  // namespace bertprep
