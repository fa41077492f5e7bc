#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/fields.h"
#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "bertprep/trainer/train.h"
#include "io/json.h"

namespace bertprep {
namespace {

// The keys of one config.json of a BERT or GPT-2 model, as HuggingFace's transformers or Google's scripts write it;
// errors name file and key.
class Keys {
 public:
  explicit Keys(const std::filesystem::path& path) : path_(path), json_(read_json(path)) {
    if (json_.kind() != Json::Kind::Object)
      throw FormatError("does not contain a JSON object", path, "give a config.json");
  }

  const Json* find(std::string_view key) const {
    const Json* const value = json_.find(key);
    return value == nullptr || value->kind() == Json::Kind::Null ? nullptr : value;
  }
  std::int64_t whole(std::string_view key) const {
    const Json* const value = find(key);
    if (value == nullptr) throw FormatError("has no '" + std::string(key) + "'", path_, "give a whole config.json");
    return number<std::int64_t>(key, *value, "whole number");
  }
  std::int64_t whole(std::string_view key, std::int64_t otherwise) const {
    return find(key) == nullptr ? otherwise : whole(key);
  }
  double real(std::string_view key, double otherwise) const {
    const Json* const value = find(key);
    return value == nullptr ? otherwise : number<double>(key, *value, "number");
  }
  bool flag(std::string_view key, bool otherwise) const {
    const Json* const value = find(key);
    if (value == nullptr) return otherwise;
    if (value->kind() != Json::Kind::Bool) refuse_type(key, "true or false");
    return value->as_bool();
  }
  std::string word(std::string_view key, const std::string& otherwise) const {
    const Json* const value = find(key);
    if (value == nullptr) return otherwise;
    if (value->kind() != Json::Kind::String) refuse_type(key, "a text");
    return value->text();
  }
  [[noreturn]] void refuse(const std::string& what, const std::string& fix) const {
    throw ConfigError(what, path_, fix);
  }

 private:
  template <class Number>
  Number number(std::string_view key, const Json& value, const std::string& kind) const {
    const auto result = value.kind() == Json::Kind::Number ? number_in<Number>(value.text()) : std::nullopt;
    if (!result) refuse_type(key, "a " + kind);
    return *result;
  }
  [[noreturn]] void refuse_type(std::string_view key, const std::string& kind) const {
    throw FormatError("'" + std::string(key) + "' is not " + kind, path_);
  }

  std::filesystem::path path_;
  Json json_;
};

// Names in transformers: "gelu" uses the error function, the others tanh.
bool is_tanh_gelu(const Keys& keys, const char* key, const char* otherwise) {
  const std::string name = keys.word(key, otherwise);
  if (name == "gelu" || name == "gelu_python") return false;
  if (name == "gelu_new" || name == "gelu_tanh" || name == "gelu_pytorch_tanh" || name == "gelu_fast") return true;
  keys.refuse(std::string(key) + " '" + name + "' is not supported", "use gelu or gelu_new");
}

// Refuses configurations of models that differ from the one trained here.
void require_bert(const Keys& keys, const ModelConfig& config) {
  const std::string positions = keys.word("position_embedding_type", "absolute");
  if (positions != "absolute")
    keys.refuse("position_embedding_type '" + positions + "' is not supported", "use absolute");
  if (keys.whole("embedding_size", config.hidden_size) != config.hidden_size) {
    keys.refuse("embedding_size is not hidden_size", "give a config.json of BERT");
  }
  if (keys.flag("is_decoder", false)) keys.refuse("describes a decoder", "BERT is an encoder");
  if (!keys.flag("tie_word_embeddings", true)) {
    keys.refuse("the decoder has separate weights", "set tie_word_embeddings to true");
  }
  if (config.token_types < 2) {
    keys.refuse("type_vocab_size is " + std::to_string(config.token_types) + ", rows have two segments",
                "set type_vocab_size to 2");
  }
}

void require_gpt2(const Keys& keys, const ModelConfig& config) {
  const auto refuse_flag = [&](const char* key, bool usual) {
    if (keys.flag(key, usual) != usual) keys.refuse(std::string(key) + " is not supported", "leave it out");
  };
  refuse_flag("tie_word_embeddings", true);
  refuse_flag("scale_attn_weights", true);
  refuse_flag("add_cross_attention", false);
  if (keys.real("embd_pdrop", config.hidden_dropout) != config.hidden_dropout) {
    keys.refuse("embd_pdrop and resid_pdrop differ", "make them equal");
  }
}

ModelConfig read_gpt2(const Keys& keys, const std::string& path) {
  ModelConfig config = resolve_model("gpt2-small");
  config.pieces = keys.whole("vocab_size");
  config.vocab_size = config.pieces;
  config.hidden_size = keys.whole("n_embd");
  config.layers = keys.whole("n_layer");
  config.attention_heads = keys.whole("n_head");
  config.max_positions = keys.whole("n_positions", config.max_positions);
  config.hidden_dropout = keys.real("resid_pdrop", config.hidden_dropout);
  config.attention_dropout = keys.real("attn_pdrop", config.attention_dropout);
  config.initializer_range = keys.real("initializer_range", config.initializer_range);
  config.layer_norm_eps = keys.real("layer_norm_epsilon", config.layer_norm_eps);
  config.tanh_gelu = is_tanh_gelu(keys, "activation_function", "gelu_new");
  config.scale_by_layer = keys.flag("scale_attn_by_inverse_layer_idx", false);
  config.end_token = keys.whole("eos_token_id", -1);
  config.intermediate_size = 1;
  config.validate(path);
  config.intermediate_size = keys.whole("n_inner", 4 * config.hidden_size);
  config.validate(path);
  require_gpt2(keys, config);
  config.vocab_size = padded_vocab_size(config.pieces);
  return config;
}

// Missing and null keys have the values of BERT or GPT-2; unknown ones are ignored. Throws IoError, FormatError for a
// key of the wrong type, ConfigError for values that don't fit together and for models of other kinds.
ModelConfig read_model_file(const std::filesystem::path& path) {
  const Keys keys(path);
  const std::string type = keys.word("model_type", "bert");
  if (type == "gpt2") return read_gpt2(keys, path.string());
  if (type != "bert") {
    keys.refuse("describes a model of type '" + type + "'", "give a config.json of BERT or GPT-2");
  }
  ModelConfig config;
  config.pieces = keys.whole("vocab_size");
  config.vocab_size = config.pieces;  // an absurd value is refused before it is rounded up
  config.hidden_size = keys.whole("hidden_size");
  config.layers = keys.whole("num_hidden_layers");
  config.attention_heads = keys.whole("num_attention_heads");
  config.max_positions = keys.whole("max_position_embeddings", config.max_positions);
  config.token_types = keys.whole("type_vocab_size", config.token_types);
  config.hidden_dropout = keys.real("hidden_dropout_prob", config.hidden_dropout);
  config.attention_dropout = keys.real("attention_probs_dropout_prob", config.attention_dropout);
  config.initializer_range = keys.real("initializer_range", config.initializer_range);
  config.layer_norm_eps = keys.real("layer_norm_eps", config.layer_norm_eps);
  config.tanh_gelu = is_tanh_gelu(keys, "hidden_act", "gelu");
  config.pre_norm = keys.flag("layer_norm_large_model", false);
  config.intermediate_size = 1;
  config.validate(path.string());
  config.intermediate_size = keys.whole("intermediate_size", 4 * config.hidden_size);
  config.validate(path.string());
  require_bert(keys, config);
  config.vocab_size = padded_vocab_size(config.pieces);
  return config;
}

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
constexpr std::int64_t kMaxSize = std::int64_t{1} << 20;
constexpr std::int64_t kMaxPieces = std::int64_t{1} << 30;

Json number(std::int64_t value) {
  return Json::number(static_cast<std::uint64_t>(value));
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
  json.add("resid_pdrop", Json::real(config.hidden_dropout));
  json.add("embd_pdrop", Json::real(config.hidden_dropout));
  json.add("attn_pdrop", Json::real(config.attention_dropout));
  json.add("layer_norm_epsilon", Json::real(config.layer_norm_eps));
  json.add("initializer_range", Json::real(config.initializer_range));
  json.add("scale_attn_by_inverse_layer_idx", Json::boolean(config.scale_by_layer));
  // For missing keys, transformers would use those of its own GPT-2.
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
  require("vocab_size", vocab_size, kMaxPieces);
  require("hidden_size", hidden_size, kMaxSize);
  require("num_hidden_layers", layers, kMaxSize);
  require("num_attention_heads", attention_heads, kMaxSize);
  require("intermediate_size", intermediate_size, kMaxSize);
  require("max_position_embeddings", max_positions, kMaxSize);
  require("type_vocab_size", token_types, kMaxSize);
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
  json.add("hidden_dropout_prob", Json::real(hidden_dropout));
  json.add("attention_probs_dropout_prob", Json::real(attention_dropout));
  json.add("max_position_embeddings", number(max_positions));
  json.add("type_vocab_size", number(token_types));
  json.add("initializer_range", Json::real(initializer_range));
  json.add("layer_norm_eps", Json::real(layer_norm_eps));
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
    throw ConfigError("'" + model + "' is neither a model nor a file", "`model`",
                      "give tiny, base, large, 1.5b, 5b, gpt2-micro, gpt2-small or the path of a config.json");
  }
  const bool is_folder = std::filesystem::is_directory(model);
  return read_model_file(is_folder ? std::filesystem::path(model) / "config.json" : std::filesystem::path(model));
}

std::int64_t padded_vocab_size(std::int64_t size) {
  return (size + 7) / 8 * 8;
}

}  // namespace bertprep
