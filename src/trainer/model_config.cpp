#include "bertprep/trainer/train.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/fields.h"
#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/json.h"
#include "trainer/model_file.h"

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

// Far beyond any model, and small enough that products of sizes don't overflow.
constexpr std::int64_t kMostOfAnything = std::int64_t{1} << 20;
constexpr std::int64_t kMostPieces = std::int64_t{1} << 30;

const Preset* find_preset(std::string_view name) {
  const auto* const found =
      std::find_if(kPresets.begin(), kPresets.end(), [&](const Preset& preset) { return preset.name == name; });
  return found == kPresets.end() ? nullptr : found;
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

bool is_built_in_model(const std::string& model) {
  return find_preset(model) != nullptr;
}

ModelConfig resolve_model(const std::string& model) {
  if (const Preset* const preset = find_preset(model)) {
    ModelConfig config;
    config.layers = preset->layers;
    config.hidden_size = preset->hidden_size;
    config.attention_heads = preset->attention_heads;
    config.intermediate_size = preset->intermediate_size;
    config.pre_norm = preset->pre_norm;
    return config;
  }
  if (!std::filesystem::exists(model)) {
    throw ConfigError("'" + model + "' is neither a model nor a file", "--model",
                      "give tiny, base, large, 1.5b, 5b or the path of a config.json");
  }
  const bool is_folder = std::filesystem::is_directory(model);
  return read_model_file(is_folder ? std::filesystem::path(model) / "config.json" : std::filesystem::path(model));
}

std::int64_t padded_vocab_size(std::int64_t size) {
  return (size + 7) / 8 * 8;
}

}  // namespace bertprep
