#include "bertprep/trainer/model_config.h"

#include <array>
#include <string_view>

#include "bertprep/base/error.h"
#include "bertprep/base/number_text.h"
#include "io/input_file.h"
#include "io/json.h"

namespace bertprep {
namespace {

struct Preset {
  std::string_view name;
  std::int64_t layers, hidden_size, attention_heads, intermediate_size;
  bool pre_norm;
};

constexpr std::array<Preset, 5> kPresets{{
    {"tiny", 2, 128, 2, 512, false},
    {"base", 12, 768, 12, 3072, false},
    {"large", 24, 1024, 16, 4096, false},
    {"1.5b", 48, 1600, 25, 6400, true},
    {"5b", 63, 2560, 40, 10240, true},
}};

std::int64_t whole(const Json& json, std::string_view key, std::int64_t otherwise) {
  const Json* value = json.find(key);
  return value == nullptr ? otherwise : static_cast<std::int64_t>(value->as_unsigned());
}

double real(const Json& json, std::string_view key, double otherwise, const std::string& where) {
  const Json* value = json.find(key);
  if (value == nullptr) return otherwise;
  try {
    return std::stod(value->text());
  } catch (const std::logic_error&) {
    throw FormatError("'" + std::string(key) + "' is no number", where);
  }
}

std::int64_t required(const Json& json, std::string_view key) {
  return static_cast<std::int64_t>(json.at(key).as_unsigned());
}

// Names of transformers: "gelu" by the error function, the others by tanh.
bool is_tanh_gelu(const Json& json, const std::string& where) {
  const Json* value = json.find("hidden_act");
  const std::string name = value == nullptr ? "gelu" : value->text();
  if (name == "gelu" || name == "gelu_python") return false;
  if (name == "gelu_new" || name == "gelu_tanh" || name == "gelu_pytorch_tanh" || name == "gelu_fast") return true;
  throw ConfigError("hidden_act '" + name + "' is not built in", where, "gelu and gelu_new are");
}

ModelConfig read_config(const std::string& file) {
  const Json json = Json::parse(read_file(file), file);
  ModelConfig config;
  config.vocab_size = padded_vocab_size(required(json, "vocab_size"));
  config.hidden_size = required(json, "hidden_size");
  config.layers = required(json, "num_hidden_layers");
  config.attention_heads = required(json, "num_attention_heads");
  config.intermediate_size = whole(json, "intermediate_size", 4 * config.hidden_size);
  config.max_positions = whole(json, "max_position_embeddings", config.max_positions);
  config.token_types = whole(json, "type_vocab_size", config.token_types);
  config.hidden_dropout = real(json, "hidden_dropout_prob", config.hidden_dropout, file);
  config.attention_dropout = real(json, "attention_probs_dropout_prob", config.attention_dropout, file);
  config.initializer_range = real(json, "initializer_range", config.initializer_range, file);
  config.layer_norm_eps = real(json, "layer_norm_eps", config.layer_norm_eps, file);
  config.tanh_gelu = is_tanh_gelu(json, file);
  const Json* pre_norm = json.find("layer_norm_large_model");
  config.pre_norm = pre_norm != nullptr && pre_norm->as_bool();
  config.validate(file);
  return config;
}

}  // namespace

void ModelConfig::validate(const std::string& where) const {
  for (const std::int64_t size :
       {vocab_size, hidden_size, layers, attention_heads, intermediate_size, max_positions, token_types}) {
    if (size < 1) throw ConfigError("a size of the model is not positive", where);
  }
  if (hidden_size % attention_heads != 0) {
    throw ConfigError("hidden_size " + std::to_string(hidden_size) + " is no multiple of num_attention_heads " +
                          std::to_string(attention_heads),
                      where);
  }
  for (const double share : {hidden_dropout, attention_dropout}) {
    if (!(share >= 0 && share < 1)) throw ConfigError("a dropout is not within 0 and 1", where);
  }
}

std::uint64_t ModelConfig::parameters() const {
  const auto h = static_cast<std::uint64_t>(hidden_size);
  const auto f = static_cast<std::uint64_t>(intermediate_size);
  const std::uint64_t tables = static_cast<std::uint64_t>(vocab_size + max_positions + token_types) * h + 2 * h;
  const std::uint64_t layer = 4 * (h * h + h) + 2 * h * f + f + h + 4 * h;
  const std::uint64_t heads = 2 * (h * h + h) + 2 * h + static_cast<std::uint64_t>(vocab_size) + 2 * h + 2;
  return tables + static_cast<std::uint64_t>(layers) * layer + heads;
}

std::string ModelConfig::to_json() const {
  const auto number = [](std::int64_t value) { return Json::number(static_cast<std::uint64_t>(value)); };
  const auto decimal = [](double value) { return Json::number_text(shortest_decimal(value)); };
  Json json = Json::object();
  json.add("architectures", std::move(Json::array().push(Json::string("BertForPreTraining"))));
  json.add("model_type", Json::string("bert"));
  json.add("vocab_size", number(vocab_size));
  json.add("hidden_size", number(hidden_size));
  json.add("num_hidden_layers", number(layers));
  json.add("num_attention_heads", number(attention_heads));
  json.add("intermediate_size", number(intermediate_size));
  json.add("hidden_act", Json::string(tanh_gelu ? "gelu_new" : "gelu"));
  json.add("hidden_dropout_prob", decimal(hidden_dropout));
  json.add("attention_probs_dropout_prob", decimal(attention_dropout));
  json.add("max_position_embeddings", number(max_positions));
  json.add("type_vocab_size", number(token_types));
  json.add("initializer_range", decimal(initializer_range));
  json.add("layer_norm_eps", decimal(layer_norm_eps));
  json.add("layer_norm_large_model", Json::boolean(pre_norm));
  json.add("pad_token_id", number(0));
  return json.dump();
}

ModelConfig resolve_model(const std::string& model) {
  for (const Preset& preset : kPresets) {
    if (preset.name != model) continue;
    ModelConfig config;
    config.layers = preset.layers;
    config.hidden_size = preset.hidden_size;
    config.attention_heads = preset.attention_heads;
    config.intermediate_size = preset.intermediate_size;
    config.pre_norm = preset.pre_norm;
    return config;
  }
  if (!std::filesystem::exists(model)) {
    throw ConfigError("'" + model + "' is neither a model nor a file", "--model",
                      "give tiny, base, large, 1.5b, 5b or the path of a config.json");
  }
  return read_config(model);
}

std::int64_t padded_vocab_size(std::int64_t size) {
  return (size + 7) / 8 * 8;
}

}  // namespace bertprep
