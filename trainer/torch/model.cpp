#include "trainer/torch/model.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>

#include "bertprep/base/error.h"
#include "trainer/counter_random.h"
#include "trainer/torch/models.h"

namespace bertprep {
namespace {

at::Tensor first_values(const ParameterSpec& spec, const ModelConfig& config, std::uint64_t seed,
                        std::uint64_t number) {
  at::Tensor value = at::empty(spec.shape, at::kFloat);
  if (spec.init == ParameterSpec::Init::kNormal) {
    fill_normal(value.data_ptr<float>(), value.numel(), config.initializer_range * spec.scale, seed, number);
  } else if (spec.init == ParameterSpec::Init::kUniform) {
    fill_uniform(value.data_ptr<float>(), value.numel(), spec.range, seed, number);
  } else {
    value.fill_(spec.init == ParameterSpec::Init::kOne ? 1 : 0);
  }
  return value;
}

ProductPrecision precision_of(const ModelMode& mode) {
  if (!mode.bf16) return ProductPrecision::F32;
  return mode.bf16_as_f32 ? ProductPrecision::Bf16AsF32 : ProductPrecision::Bf16;
}

FlatPlaces places_of(const std::vector<ParameterSpec>& specs) {
  std::vector<TensorSize> sizes;
  for (const ParameterSpec& spec : specs) sizes.push_back({spec.size(), spec.decays});
  return flat_places(sizes, backward_order(specs));
}

bool is_looked_at(const Model::PassContext& context) {
  return context.probe != nullptr && *context.probe;
}

}  // namespace

Model::Model(const ModelConfig& config, const ModelMode& mode, std::uint64_t seed, const at::Device& device)
    : config_(config), mode_(mode), device_(device), products_(precision_of(mode)) {
  has_products_ = device.is_cpu() && products_.blas().is_available() && !mode.by_aten;
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

const at::Tensor& Model::weight(const std::string& name) const {
  return parameters_[index_.at(name)].value;
}

void Model::clear_gradients() {
  for (Parameter& parameter : parameters_) parameter.value.mutable_grad().reset();
}

ModelBatch Model::batch_of(const Batch& rows, std::size_t first, std::size_t count) const {
  return make_model_batch(config_.kind, rows, first, count, device_);
}

ModelLoss Model::loss(const ModelBatch& batch, const ModelPass& pass, const Probe& probe) {
  if (batch.tokens() > config_.max_positions) {
    throw ConfigError("rows have " + std::to_string(batch.tokens()) + " tokens, the model has positions for " +
                          std::to_string(config_.max_positions),
                      {}, "give a config.json with more positions");
  }
  return pass_forth(batch, {batch.mask, pass, &probe});
}

Model::Stream Model::layers(Stream stream, std::int64_t first, std::int64_t last, const PassContext& context) const {
  for (std::int64_t i = first; i < last; ++i) stream = layer(stream, i, context);
  return stream;
}

Model::Stream Model::all_layers(const Stream& first, const PassContext& context) const {
  const std::int64_t every = mode_.recompute_every;
  if (every == 0 || !at::GradMode::is_enabled()) return layers(first, 0, config_.layers, context);
  Stream stream = first;
  for (std::int64_t i = 0; i < config_.layers; i += every) {
    stream = recomputed_layers(*this, stream, i, std::min(i + every, config_.layers), context);
  }
  return stream;
}

at::Tensor Model::linear(const at::Tensor& input, const std::string& name, WeightLayout layout) const {
  const at::Tensor& matrix = weight(name + ".weight");
  const at::Tensor& bias = weight(name + ".bias");
  if (has_products_) return bertprep::linear(products_, input, matrix, bias, layout);
  const at::Tensor out_by_in = layout == WeightLayout::kInByOut ? matrix.t() : matrix;
  if (!mode_.bf16) return at::linear(input, out_by_in, bias);
  return at::linear(input.to(at::kBFloat16), out_by_in.to(at::kBFloat16), bias.to(at::kBFloat16));
}

at::Tensor Model::norm(const at::Tensor& input, const std::string& name) const {
  return at::layer_norm(input.to(at::kFloat), {config_.hidden_size}, weight(name + ".weight"), weight(name + ".bias"),
                        config_.layer_norm_eps);
}

at::Tensor Model::activation(const at::Tensor& input) const {
  return at::gelu(input, config_.tanh_gelu ? "tanh" : "none");
}

std::uint64_t Model::place_in_layer(std::int64_t layer, DropoutPlace place) {
  return static_cast<std::uint64_t>(layer + 1) * kPlaces + place;
}

std::uint64_t Model::dropout_key(const ModelPass& pass, std::uint64_t place) {
  return mixed_bits(pass.dropout_key + place);
}

at::Tensor Model::drop(const at::Tensor& values, double p, const PassContext& context, std::uint64_t place) {
  const ModelPass& pass = context.pass;
  if (!pass.dropout) return values;
  return dropout(values, p, dropout_key(pass, place), {pass.first_row, context.mask.size(0)});
}

LabelLoss Model::decoder_loss(const at::Tensor& hidden, const at::Tensor& bias, const ModelBatch& batch,
                              const PassContext& context, const std::string& name) const {
  const at::Tensor& table = weight(word_embeddings_name(config_.kind));
  const auto predictions = static_cast<double>(std::max<std::int64_t>(1, batch.label_ids.numel()));
  const double scale = 1 / (context.pass.mlm_divisor > 0 ? context.pass.mlm_divisor : predictions);
  if (has_products_ && !is_looked_at(context)) {
    return linear_label_loss(products_, hidden, table, bias, batch.label_ids, scale);
  }
  at::Tensor logits;
  if (mode_.bf16) {
    logits = at::linear(hidden.to(at::kBFloat16), table.to(at::kBFloat16),
                        bias.defined() ? bias.to(at::kBFloat16) : at::Tensor());
  } else {
    logits = at::linear(hidden, table, bias);
  }
  look(context, name, logits);
  return label_loss(logits, batch.label_ids, scale);
}

void Model::look(const PassContext& context, const std::string& name, const at::Tensor& values) {
  if (is_looked_at(context)) (*context.probe)(name, values);
}

std::unique_ptr<Model> make_model(const ModelConfig& config, const ModelMode& mode, std::uint64_t seed,
                                  const at::Device& device) {
  if (config.kind == ModelKind::kGpt2) return std::make_unique<Gpt2>(config, mode, seed, device);
  return std::make_unique<Bert>(config, mode, seed, device);
}

}  // namespace bertprep
