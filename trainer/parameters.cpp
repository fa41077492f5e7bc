#include "trainer/parameters.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "trainer/counter_random.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

using Specs = std::vector<ParameterSpec>;
using Init = ParameterSpec::Init;

void add_linear(Specs& specs, const std::string& name, std::int64_t out, std::int64_t in) {
  specs.push_back({name + ".weight", {out, in}, Init::kNormal, true});
  specs.push_back({name + ".bias", {out}, Init::kZero, false});
}

void add_norm(Specs& specs, const std::string& name, std::int64_t size) {
  specs.push_back({name + ".weight", {size}, Init::kOne, false});
  specs.push_back({name + ".bias", {size}, Init::kZero, false});
}

void add_embeddings(Specs& specs, const ModelConfig& config) {
  const std::string name = "bert.embeddings.";
  specs.push_back({name + "word_embeddings.weight", {config.vocab_size, config.hidden_size}});
  specs.push_back({name + "position_embeddings.weight", {config.max_positions, config.hidden_size}});
  specs.push_back({name + "token_type_embeddings.weight", {config.token_types, config.hidden_size}});
  add_norm(specs, name + "LayerNorm", config.hidden_size);
}

void add_layer(Specs& specs, const ModelConfig& config, std::int64_t layer) {
  const std::string name = "bert.encoder.layer." + std::to_string(layer) + ".";
  const std::int64_t hidden = config.hidden_size;
  for (const char* part : {"query", "key", "value"}) {
    add_linear(specs, name + "attention.self." + part, hidden, hidden);
  }
  add_linear(specs, name + "attention.output.dense", hidden, hidden);
  add_norm(specs, name + "attention.output.LayerNorm", hidden);
  add_linear(specs, name + "intermediate.dense", config.intermediate_size, hidden);
  add_linear(specs, name + "output.dense", hidden, config.intermediate_size);
  add_norm(specs, name + "output.LayerNorm", hidden);
}

void add_heads(Specs& specs, const ModelConfig& config) {
  add_linear(specs, "bert.pooler.dense", config.hidden_size, config.hidden_size);
  specs.push_back({"cls.predictions.bias", {config.vocab_size}, Init::kZero, false});
  add_linear(specs, "cls.predictions.transform.dense", config.hidden_size, config.hidden_size);
  add_norm(specs, "cls.predictions.transform.LayerNorm", config.hidden_size);
  add_linear(specs, "cls.seq_relationship", 2, config.hidden_size);
}

// HuggingFace's Conv1D.
void add_conv(Specs& specs, const std::string& name, std::int64_t in, std::int64_t out, double scale = 1) {
  specs.push_back({.name = name + ".weight", .shape = {in, out}, .scale = scale});
  specs.push_back({name + ".bias", {out}, Init::kZero, false});
}

void add_gpt2(Specs& specs, const ModelConfig& config) {
  const std::int64_t hidden = config.hidden_size;
  // Weights that add to the residual stream start smaller, so that its scale does not depend on the number of layers.
  const double residual_scale = 1 / std::sqrt(2.0 * static_cast<double>(config.layers));
  specs.push_back({"transformer.wte.weight", {config.vocab_size, hidden}});
  specs.push_back({"transformer.wpe.weight", {config.max_positions, hidden}});
  for (std::int64_t layer = 0; layer < config.layers; ++layer) {
    const std::string name = "transformer.h." + std::to_string(layer) + ".";
    add_norm(specs, name + "ln_1", hidden);
    add_conv(specs, name + "attn.c_attn", hidden, 3 * hidden);
    add_conv(specs, name + "attn.c_proj", hidden, hidden, residual_scale);
    add_norm(specs, name + "ln_2", hidden);
    add_conv(specs, name + "mlp.c_fc", hidden, config.intermediate_size);
    add_conv(specs, name + "mlp.c_proj", config.intermediate_size, hidden, residual_scale);
  }
  add_norm(specs, "transformer.ln_f", hidden);
}

// Ascending in the order of the backward pass.
std::int64_t backward_rank(const std::string& name, std::int64_t layers) {
  constexpr std::array<std::string_view, 2> kLayers{"bert.encoder.layer.", "transformer.h."};
  if (name.starts_with("cls.seq_relationship") || name.starts_with("transformer.ln_f")) return 0;
  if (name.starts_with("bert.pooler")) return 1;
  if (name.starts_with("cls.predictions")) return 2;
  for (const std::string_view prefix : kLayers) {
    if (!name.starts_with(prefix)) continue;
    std::int64_t layer = 0;
    std::from_chars(name.data() + prefix.size(), name.data() + name.size(), layer);
    return 2 + layers - layer;
  }
  return 3 + layers;
}

}  // namespace

std::int64_t ParameterSpec::size() const {
  std::int64_t product = 1;
  for (const std::int64_t length : shape) product *= length;
  return product;
}

std::vector<ParameterSpec> parameter_specs(const ModelConfig& config) {
  Specs specs;
  if (config.kind == ModelKind::kGpt2) {
    add_gpt2(specs, config);
  } else {
    add_embeddings(specs, config);
    for (std::int64_t layer = 0; layer < config.layers; ++layer) add_layer(specs, config, layer);
    add_heads(specs, config);
  }
  std::stable_partition(specs.begin(), specs.end(), [](const ParameterSpec& spec) { return spec.decays; });
  return specs;
}

std::string word_embeddings_name(ModelKind kind) {
  return kind == ModelKind::kGpt2 ? "transformer.wte.weight" : "bert.embeddings.word_embeddings.weight";
}

std::string_view architecture_of(ModelKind kind) {
  return kind == ModelKind::kGpt2 ? "GPT2LMHeadModel" : "BertForPreTraining";
}

void use_nvidia_start(std::vector<ParameterSpec>& specs) {
  std::unordered_map<std::string, double> ranges;  // by the layer's name
  for (const ParameterSpec& spec : specs) {
    const bool built_in = spec.name.ends_with("intermediate.dense.weight") || spec.name == "bert.pooler.dense.weight" ||
                          spec.name == "cls.predictions.transform.dense.weight";
    if (built_in) {
      ranges[spec.name.substr(0, spec.name.rfind('.'))] = 1 / std::sqrt(static_cast<double>(spec.shape.back()));
    }
  }
  for (ParameterSpec& spec : specs) {
    const auto found = ranges.find(spec.name.substr(0, spec.name.rfind('.')));
    if (found == ranges.end()) continue;
    spec.init = Init::kUniform;
    spec.range = found->second;
  }
}

std::vector<std::uint32_t> backward_order(const std::vector<ParameterSpec>& specs) {
  // A layer has more than one parameter, so this is an upper bound.
  const auto layers = static_cast<std::int64_t>(specs.size());
  std::vector<std::uint32_t> order(specs.size());
  std::iota(order.begin(), order.end(), 0U);
  // Within a layer, parameters used last in the forward pass come first. The word embeddings are complete at the very
  // end, as the decoder's gradient is added to theirs.
  const auto rank = [&](std::uint32_t i) { return std::pair(backward_rank(specs[i].name, layers), -std::int64_t{i}); };
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return rank(a) < rank(b); });
  return order;
}

std::string canonical_parameter_name(const std::string& name) {
  std::string text = name;
  if (text.starts_with("module.")) text.erase(0, 7);
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kOthers{
      {{"dense_act.", "dense."}, {"LayerNorm.gamma", "LayerNorm.weight"}, {"LayerNorm.beta", "LayerNorm.bias"}}};
  for (const auto& [from, to] : kOthers) replace_all(text, from, to);
  // OpenAI's own models on HuggingFace's hub.
  for (const std::string_view prefix : {"wte.", "wpe.", "h.", "ln_f."}) {
    if (text.starts_with(prefix)) return "transformer." + text;
  }
  return text;
}

void fill_uniform(float* values, std::int64_t count, double range, std::uint64_t seed, std::uint64_t stream) {
  const std::uint64_t key = mixed_bits(mixed_bits(seed) + stream);
  for (std::int64_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>(range * (2 * unit_real(mixed_bits(key + static_cast<std::uint64_t>(i))) - 1));
  }
}

void fill_normal(float* values, std::int64_t count, double deviation, std::uint64_t seed, std::uint64_t stream) {
  const std::uint64_t key = mixed_bits(mixed_bits(seed) + stream);
  // Box and Muller (1958): two uniform numbers give two normal ones.
  for (std::int64_t i = 0; i < count; i += 2) {
    const double u = 1.0 - unit_real(mixed_bits(key + static_cast<std::uint64_t>(i)));
    const double angle = 2 * std::numbers::pi * unit_real(mixed_bits(key + static_cast<std::uint64_t>(i) + 1));
    const double radius = deviation * std::sqrt(-2 * std::log(u));
    values[i] = static_cast<float>(radius * std::cos(angle));
    if (i + 1 < count) values[i + 1] = static_cast<float>(radius * std::sin(angle));
  }
}

}  // namespace bertprep
