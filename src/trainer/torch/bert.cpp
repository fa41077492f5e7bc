#include "trainer/torch/bert.h"

#include <algorithm>
#include <cmath>

#include "bertprep/base/error.h"
#include "trainer/counter_random.h"
#include "trainer/torch/attention.h"
#include "trainer/torch/linear.h"
#include "trainer/torch/recompute.h"

namespace bertprep {
namespace {

// The places of dropout in a pass; those of a layer are told apart by its number.
enum DropoutPlace : std::uint64_t { kEmbeddings, kAttentionShares, kAttentionOutput, kOutput, kPlaces };

std::uint64_t dropout_key(const BertPass& pass, std::uint64_t place) {
  return mixed_bits(pass.dropout_key + place);
}

at::Tensor drop(const at::Tensor& values, double p, const Bert::PassContext& context, std::uint64_t place) {
  const BertPass& pass = context.pass;
  if (!pass.dropout) return values;
  return dropout(values, p, dropout_key(pass, place), {pass.first_row, context.mask.size(0)});
}

std::uint64_t place_in_layer(std::int64_t layer, DropoutPlace place) {
  return static_cast<std::uint64_t>(layer + 1) * kPlaces + place;
}

std::string layer_name(std::int64_t layer) {
  return "bert.encoder.layer." + std::to_string(layer) + ".";
}

bool is_looked_at(const Bert::PassContext& context) {
  return context.probe != nullptr && *context.probe;
}

void look(const Bert::PassContext& context, const std::string& name, const at::Tensor& values) {
  if (is_looked_at(context)) (*context.probe)(name, values);
}

at::Tensor first_values(const ParameterSpec& spec, const ModelConfig& config, std::uint64_t seed,
                        std::uint64_t number) {
  at::Tensor value = at::empty(spec.shape, at::kFloat);
  if (spec.start == ParameterSpec::Start::Normal) {
    fill_normal(value.data_ptr<float>(), value.numel(), config.initializer_range, seed, number);
  } else if (spec.start == ParameterSpec::Start::Uniform) {
    fill_uniform(value.data_ptr<float>(), value.numel(), spec.range, seed, number);
  } else {
    value.fill_(spec.start == ParameterSpec::Start::One ? 1 : 0);
  }
  return value;
}

ProductPrecision precision_of(const BertMode& mode) {
  if (!mode.bf16) return ProductPrecision::F32;
  return mode.bf16_as_f32 ? ProductPrecision::Bf16AsF32 : ProductPrecision::Bf16;
}

FlatPlaces places_of(const std::vector<ParameterSpec>& specs) {
  std::vector<TensorSize> sizes;
  for (const ParameterSpec& spec : specs) sizes.push_back({spec.size(), spec.decays});
  return flat_places(sizes, backward_order(specs));
}

}  // namespace

Bert::Bert(const ModelConfig& config, const BertMode& mode, std::uint64_t seed, const at::Device& device)
    : config_(config), mode_(mode), device_(device), products_(precision_of(mode)) {
  has_products_ = device.is_cpu() && products_.blas().is_there() && !mode.by_aten;
  if (has_products_) products_.blas().use_threads(1);
  std::vector<ParameterSpec> specs = parameter_specs(config);
  if (mode.nvidia_start) use_nvidia_start(specs);
  places_ = places_of(specs);
  values_ = at::zeros({places_.values}, at::TensorOptions(device).dtype(at::kFloat));
  for (std::size_t i = 0; i < specs.size(); ++i) {
    at::Tensor value = values_.narrow(0, places_.begins[i], specs[i].size()).view(specs[i].shape).variable_data();
    value.copy_(first_values(specs[i], config, seed, i));
    value.set_requires_grad(true);
    index_[specs[i].name] = i;
    parameters_.push_back({specs[i].name, value, specs[i].decays});
  }
}

std::vector<TensorSize> sizes_of(const std::vector<Parameter>& parameters) {
  std::vector<TensorSize> sizes;
  for (const Parameter& parameter : parameters) sizes.push_back({parameter.value.numel(), parameter.decays});
  return sizes;
}

const at::Tensor& Bert::weight(const std::string& name) const {
  return parameters_[index_.at(name)].value;
}

void Bert::clear_gradients() {
  for (Parameter& parameter : parameters_) parameter.value.mutable_grad().reset();
}

at::Tensor Bert::linear(const at::Tensor& input, const std::string& name) const {
  const at::Tensor& matrix = weight(name + ".weight");
  const at::Tensor& bias = weight(name + ".bias");
  if (has_products_) return bertprep::linear(products_, input, matrix, bias);
  if (!mode_.bf16) return at::linear(input, matrix, bias);
  return at::linear(input.to(at::kBFloat16), matrix.to(at::kBFloat16), bias.to(at::kBFloat16));
}

at::Tensor Bert::norm(const at::Tensor& input, const std::string& name) const {
  return at::layer_norm(input.to(at::kFloat), {config_.hidden_size}, weight(name + ".weight"), weight(name + ".bias"),
                        config_.layer_norm_eps);
}

at::Tensor Bert::activation(const at::Tensor& input) const {
  return at::gelu(input, config_.tanh_gelu ? "tanh" : "none");
}

at::Tensor Bert::embed(const BertBatch& batch, const PassContext& context) const {
  const std::string name = "bert.embeddings.";
  // Padding is token 0: its embedding learns through the decoder only.
  at::Tensor sum = at::embedding(weight(name + "word_embeddings.weight"), batch.input_ids, 0);
  sum = sum + weight(name + "position_embeddings.weight").narrow(0, 0, batch.tokens());
  sum = sum + at::embedding(weight(name + "token_type_embeddings.weight"), batch.segment_ids);
  const at::Tensor normed = norm(sum, name + "LayerNorm");
  look(context, "embeddings", normed);
  return drop(normed, config_.hidden_dropout, context, kEmbeddings).view({-1, config_.hidden_size});
}

at::Tensor Bert::self_attention(const at::Tensor& hidden, std::int64_t layer, const PassContext& context) const {
  if (!has_products_) return attention_by_aten(hidden, layer, context);
  const std::string name = layer_name(layer) + "attention.self.";
  const BertPass& pass = context.pass;
  const AttentionSetup setup{.heads = config_.attention_heads,
                             .dropout = pass.dropout ? config_.attention_dropout : 0,
                             .dropout_key = dropout_key(pass, place_in_layer(layer, kAttentionShares)),
                             .rows = {pass.first_row, context.mask.size(0)}};
  return attention(products_.blas(), linear(hidden, name + "query"), linear(hidden, name + "key"),
                   linear(hidden, name + "value"), context.mask, setup);
}

at::Tensor Bert::attention_by_aten(const at::Tensor& hidden, std::int64_t layer, const PassContext& context) const {
  const std::string name = layer_name(layer) + "attention.self.";
  const std::int64_t rows = context.mask.size(0);
  const std::int64_t tokens = context.mask.size(3);
  const std::int64_t heads = config_.attention_heads;
  const std::int64_t width = config_.hidden_size / heads;
  const auto by_head = [&](const char* part) {
    return linear(hidden, name + part).view({rows, tokens, heads, width}).transpose(1, 2);
  };
  const at::Tensor query = by_head("query") * (1 / std::sqrt(static_cast<double>(width)));
  const at::Tensor scores = at::matmul(query, by_head("key").transpose(2, 3)).to(at::kFloat) + context.mask;
  at::Tensor shares = at::softmax(scores, 3);
  shares = drop(shares, config_.attention_dropout, context, place_in_layer(layer, kAttentionShares));
  const at::Tensor value = by_head("value");
  const at::Tensor mixed = at::matmul(shares.to(value.scalar_type()), value);
  return mixed.transpose(1, 2).reshape({rows * tokens, config_.hidden_size});
}

Bert::Stream Bert::layer(const Stream& stream, std::int64_t layer, const PassContext& context) const {
  const std::string name = layer_name(layer);
  at::Tensor out =
      linear(self_attention(stream.hidden, layer, context), name + "attention.output.dense").to(at::kFloat);
  out = drop(out, config_.hidden_dropout, context, place_in_layer(layer, kAttentionOutput));
  at::Tensor residual = config_.pre_norm ? out + stream.residual : out + stream.hidden;
  const at::Tensor attended = norm(residual, name + "attention.output.LayerNorm");
  look(context, name + "attention", attended);
  out = linear(activation(linear(attended, name + "intermediate.dense")), name + "output.dense").to(at::kFloat);
  out = drop(out, config_.hidden_dropout, context, place_in_layer(layer, kOutput));
  residual = out + (config_.pre_norm ? residual : attended);
  at::Tensor hidden = norm(residual, name + "output.LayerNorm");
  look(context, name + "output", hidden);
  return {hidden, residual};
}

Bert::Stream Bert::layers(Stream stream, std::int64_t first, std::int64_t last, const PassContext& context) const {
  for (std::int64_t i = first; i < last; ++i) stream = layer(stream, i, context);
  return stream;
}

at::Tensor Bert::encode(const BertBatch& batch, const PassContext& context) const {
  Stream stream;
  stream.hidden = embed(batch, context);
  stream.residual = config_.pre_norm ? at::zeros_like(stream.hidden) : stream.hidden;
  const std::int64_t every = mode_.recompute_every;
  if (every == 0 || !at::GradMode::is_enabled()) return layers(stream, 0, config_.layers, context).hidden;
  for (std::int64_t first = 0; first < config_.layers; first += every) {
    stream = recomputed_layers(*this, stream, first, std::min(first + every, config_.layers), context);
  }
  return stream.hidden;
}

LabelLoss Bert::mlm_loss(const at::Tensor& sequence, const BertBatch& batch, const PassContext& context) const {
  const std::string name = "cls.predictions.";
  at::Tensor hidden = sequence.index_select(0, batch.masked_rows);
  hidden = norm(activation(linear(hidden, name + "transform.dense")), name + "transform.LayerNorm");
  look(context, "cls.predictions.transform", hidden);
  const at::Tensor& table = weight("bert.embeddings.word_embeddings.weight");
  const at::Tensor& bias = weight(name + "bias");
  const auto predictions = static_cast<double>(std::max<std::int64_t>(1, batch.masked_ids.numel()));
  const double scale = 1 / (context.pass.mlm_divisor > 0 ? context.pass.mlm_divisor : predictions);
  if (has_products_ && !is_looked_at(context)) {
    return linear_label_loss(products_, hidden, table, bias, batch.masked_ids, scale);
  }
  const at::Tensor logits = mode_.bf16
                                ? at::linear(hidden.to(at::kBFloat16), table.to(at::kBFloat16), bias.to(at::kBFloat16))
                                : at::linear(hidden, table, bias);
  look(context, "cls.predictions", logits);
  return label_loss(logits, batch.masked_ids, scale);
}

LabelLoss Bert::nsp_loss(const at::Tensor& sequence, const BertBatch& batch, const PassContext& context) const {
  const at::Tensor first = sequence.view({batch.rows(), batch.tokens(), -1}).select(1, 0);
  const at::Tensor pooled = linear(first, "bert.pooler.dense").tanh();
  look(context, "bert.pooler", pooled);
  const at::Tensor logits = linear(pooled, "cls.seq_relationship");
  look(context, "cls.seq_relationship", logits);
  const auto rows = static_cast<double>(batch.rows());
  return label_loss(logits, batch.next_labels, 1 / (context.pass.nsp_divisor > 0 ? context.pass.nsp_divisor : rows));
}

BertLoss Bert::loss(const BertBatch& batch, const BertPass& pass, const Probe& probe) {
  if (batch.tokens() > config_.max_positions) {
    throw ConfigError("rows have " + std::to_string(batch.tokens()) + " tokens, the model has positions for " +
                          std::to_string(config_.max_positions),
                      {}, "give a config.json with a larger max_position_embeddings");
  }
  const PassContext context{batch.mask, pass, &probe};
  const at::Tensor sequence = encode(batch, context);
  const LabelLoss mlm = mlm_loss(sequence, batch, context);
  const LabelLoss nsp = nsp_loss(sequence, batch, context);
  BertLoss loss;
  loss.total = mlm.sum + nsp.sum;
  loss.predictions = batch.masked_ids.numel();
  loss.rows = batch.rows();
  loss.mlm_sum = mlm.plain_sum;
  loss.nsp_sum = nsp.plain_sum;
  loss.mlm_correct = mlm.correct;
  loss.nsp_correct = nsp.correct;
  return loss;
}

}  // namespace bertprep
