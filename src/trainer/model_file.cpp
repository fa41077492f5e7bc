#include "trainer/model_file.h"

#include <charconv>
#include <string>
#include <string_view>

#include "base/fields.h"
#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "io/json.h"

namespace bertprep {
namespace {

// The keys of one file; errors name file and key.
class Keys {
 public:
  explicit Keys(const std::filesystem::path& path) : path_(path), json_(Json::parse(read_file(path), path.string())) {
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
    Number result{};
    if (value.kind() == Json::Kind::Number) {
      const std::string& text = value.text();
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
      if (error == std::errc{} && end == text.data() + text.size()) return result;
    }
    refuse_type(key, "a " + kind);
  }
  [[noreturn]] void refuse_type(std::string_view key, const std::string& kind) const {
    throw FormatError("'" + std::string(key) + "' is not " + kind, path_);
  }

  std::filesystem::path path_;
  Json json_;
};

// Names of transformers: "gelu" by the error function, the others by tanh.
bool is_tanh_gelu(const Keys& keys, const char* key, const char* otherwise) {
  const std::string name = keys.word(key, otherwise);
  if (name == "gelu" || name == "gelu_python") return false;
  if (name == "gelu_new" || name == "gelu_tanh" || name == "gelu_pytorch_tanh" || name == "gelu_fast") return true;
  keys.refuse(std::string(key) + " '" + name + "' is not supported", "use gelu or gelu_new");
}

// What would be another model than the one that is trained here.
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

}  // namespace

ModelConfig read_model_file(const std::filesystem::path& path) {
  const Keys keys(path);
  const std::string type = keys.word("model_type", "bert");
  if (type == "gpt2") return read_gpt2(keys, path.string());
  if (type != "bert") {
    keys.refuse("describes a model of type '" + type + "'", "give a config.json of BERT or GPT-2");
  }
  ModelConfig config;
  config.pieces = keys.whole("vocab_size");
  config.vocab_size = config.pieces;  // an absurd one is refused before it is rounded up
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

}  // namespace bertprep
