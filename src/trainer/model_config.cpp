#include "bertprep/trainer/train.h"

#include <optional>
#include <string_view>

#include "base/fields.h"
#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/json.h"
#include "trainer/model_file.h"

namespace bertprep {
namespace {

ModelConfig bert_shape(std::int64_t layers, std::int64_t hidden, std::int64_t heads, bool pre_norm) {
  ModelConfig config;
  config.layers = layers;
  config.hidden_size = hidden;
  config.attention_heads = heads;
  config.intermediate_size = 4 * hidden;
  config.pre_norm = pre_norm;
  return config;
}

ModelConfig gpt2_shape(std::int64_t layers, std::int64_t hidden, std::int64_t heads) {
  ModelConfig config = bert_shape(layers, hidden, heads, true);
  config.kind = ModelKind::kGpt2;
  config.pieces = 50257;
  config.vocab_size = padded_vocab_size(config.pieces);
  config.max_positions = 1024;
  config.layer_norm_eps = 1e-5;
  config.tanh_gelu = true;
  return config;
}

std::optional<ModelConfig> built_in_model(const std::string& name) {
  if (name == "tiny") return bert_shape(2, 128, 2, false);
  if (name == "base") return bert_shape(12, 768, 12, false);
  if (name == "large") return bert_shape(24, 1024, 16, false);
  if (name == "1.5b") return bert_shape(48, 1600, 25, true);
  if (name == "5b") return bert_shape(63, 2560, 40, true);
  if (name == "gpt2-micro") return gpt2_shape(2, 768, 2);  // Mistral's, with GPT-2's positions
  if (name == "gpt2-small") return gpt2_shape(12, 768, 12);
  return std::nullopt;
}

// Far beyond any model, and small enough that products of sizes don't overflow.
constexpr std::int64_t kMostOfAnything = std::int64_t{1} << 20;
constexpr std::int64_t kMostPieces = std::int64_t{1} << 30;

Json number(std::int64_t value) {
  return Json::number(static_cast<std::uint64_t>(value));
}

Json decimal(double value) {
  return Json::number_text(shortest_decimal(value));
}

Json gpt2_json(const ModelConfig& config) {
  Json json = Json::object();
  json.add("architectures", std::move(Json::array().push(Json::string("GPT2LMHeadModel"))));
  json.add("model_type", Json::string("gpt2"));
  json.add("vocab_size", number(config.vocab_size));
  json.add("n_positions", number(config.max_positions));
  json.add("n_embd", number(config.hidden_size));
  json.add("n_layer", number(config.layers));
  json.add("n_head", number(config.attention_heads));
  json.add("n_inner", number(config.intermediate_size));
  json.add("activation_function", Json::string(config.tanh_gelu ? "gelu_new" : "gelu"));
  json.add("resid_pdrop", decimal(config.hidden_dropout));
  json.add("embd_pdrop", decimal(config.hidden_dropout));
  json.add("attn_pdrop", decimal(config.attention_dropout));
  json.add("layer_norm_epsilon", decimal(config.layer_norm_eps));
  json.add("initializer_range", decimal(config.initializer_range));
  json.add("scale_attn_by_inverse_layer_idx", Json::boolean(config.scale_by_layer));
  // transformers would take those of its own GPT-2 for keys that are absent.
  for (const char* key : {"bos_token_id", "eos_token_id"}) {
    json.add(key, config.end_token < 0 ? Json() : number(config.end_token));
  }
  return json;
}

}  // namespace

void ModelConfig::validate(const std::string& where) const {
  const auto require = [&](const char* key, std::int64_t size, std::int64_t most) {
    if (size >= 1 && size <= most) return;
    throw ConfigError(std::string(key) + " " + std::to_string(size) + " is not between 1 and " + std::to_string(most),
                      where);
  };
  require("vocab_size", vocab_size, kMostPieces);
  require("hidden_size", hidden_size, kMostOfAnything);
  require("num_hidden_layers", layers, kMostOfAnything);
  require("num_attention_heads", attention_heads, kMostOfAnything);
  require("intermediate_size", intermediate_size, kMostOfAnything);
  require("max_position_embeddings", max_positions, kMostOfAnything);
  require("type_vocab_size", token_types, kMostOfAnything);
  if (hidden_size % attention_heads != 0) {
    throw ConfigError("hidden_size " + std::to_string(hidden_size) + " is not a multiple of num_attention_heads " +
                          std::to_string(attention_heads),
                      where);
  }
  for (const double share : {hidden_dropout, attention_dropout}) {
    if (!(share >= 0 && share < 1)) throw ConfigError("a dropout is not between 0 and 1", where);
  }
  if (!(initializer_range >= 0)) throw ConfigError("initializer_range is negative", where);
  if (!(layer_norm_eps > 0)) throw ConfigError("layer_norm_eps is not positive", where);
}

std::uint64_t ModelConfig::parameters() const {
  const auto h = static_cast<std::uint64_t>(hidden_size);
  const auto f = static_cast<std::uint64_t>(intermediate_size);
  if (kind == ModelKind::kGpt2) {
    const std::uint64_t block = 4 * (h * h + h) + 2 * h * f + f + h + 4 * h;
    return static_cast<std::uint64_t>(vocab_size + max_positions) * h + static_cast<std::uint64_t>(layers) * block +
           2 * h;
  }
  const std::uint64_t tables = static_cast<std::uint64_t>(vocab_size + max_positions + token_types) * h + 2 * h;
  const std::uint64_t layer = 4 * (h * h + h) + 2 * h * f + f + h + 4 * h;
  const std::uint64_t heads = 2 * (h * h + h) + 2 * h + static_cast<std::uint64_t>(vocab_size) + 2 * h + 2;
  return tables + static_cast<std::uint64_t>(layers) * layer + heads;
}

std::string ModelConfig::to_json() const {
  if (kind == ModelKind::kGpt2) return gpt2_json(*this).dump();
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

bool is_built_in_model(const std::string& model) {
  return built_in_model(model).has_value();
}

ModelConfig resolve_model(const std::string& model) {
  if (const auto config = built_in_model(model)) return *config;
  if (!std::filesystem::exists(model)) {
    throw ConfigError("'" + model + "' is neither a model nor a file", "--model",
                      "give tiny, base, large, 1.5b, 5b, gpt2-micro, gpt2-small or the path of a config.json");
  }
  const bool is_folder = std::filesystem::is_directory(model);
  return read_model_file(is_folder ? std::filesystem::path(model) / "config.json" : std::filesystem::path(model));
}

std::int64_t padded_vocab_size(std::int64_t size) {
  return (size + 7) / 8 * 8;
}

}  // namespace bertprep
