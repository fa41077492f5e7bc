#include "bertprep/trainer/train.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "bertprep/base/error.h"
#include "support/temp_folder.h"
#include "trainer/machine.h"
#include "trainer/parameters.h"

namespace bertprep::test {
namespace {

class ModelFile : public testing::Test {
 protected:
  ModelConfig resolve(const std::string& json) {
    std::ofstream(folder_ / "config.json") << json;
    return resolve_model((folder_ / "config.json").string());
  }
  TempFolder folder_;
};

TEST(ModelPresets, HaveTheKnownSizes) {
  // BertForPreTraining of base and large, with the vocabulary padded to 30528.
  EXPECT_EQ(resolve_model("base").parameters(), 110'111'042U);
  EXPECT_EQ(resolve_model("large").parameters(), 336'232'258U);
  EXPECT_EQ(resolve_model("tiny").layers, 2);
  EXPECT_NEAR(static_cast<double>(resolve_model("1.5b").parameters()), 1.52e9, 0.02e9);
  EXPECT_NEAR(static_cast<double>(resolve_model("5b").parameters()), 5.03e9, 0.05e9);
  EXPECT_TRUE(resolve_model("5b").pre_norm);
  // GPT-2's 124,439,808, with the vocabulary padded to 50264.
  EXPECT_EQ(resolve_model("gpt2-small").parameters(), 124'439'808U + 7 * 768);
  EXPECT_EQ(resolve_model("gpt2-micro").layers, 2);
  EXPECT_EQ(resolve_model("gpt2-micro").max_positions, 1024);
  EXPECT_THROW(resolve_model("huge"), ConfigError);
}

TEST(ModelPresets, ParametersAreCountedAsTheyAreMade) {
  for (const char* name : {"tiny", "base", "1.5b", "gpt2-micro"}) {
    const ModelConfig config = resolve_model(name);
    std::int64_t sum = 0;
    for (const ParameterSpec& spec : parameter_specs(config)) sum += spec.size();
    EXPECT_EQ(static_cast<std::uint64_t>(sum), config.parameters());
  }
}

TEST_F(ModelFile, ReadsHuggingFaceAndGoogle) {
  const ModelConfig config = resolve(R"({"vocab_size": 3443, "hidden_size": 64, "num_hidden_layers": 3,
      "num_attention_heads": 4, "intermediate_size": 100, "hidden_act": "gelu_new", "hidden_dropout_prob": 0.2,
      "attention_probs_dropout_prob": 0, "max_position_embeddings": 128, "type_vocab_size": 2,
      "initializer_range": 0.01, "layer_norm_eps": 1e-6, "model_type": "bert"})");
  EXPECT_EQ(config.vocab_size, 3448);
  EXPECT_EQ(config.intermediate_size, 100);
  EXPECT_TRUE(config.tanh_gelu);
  EXPECT_EQ(config.hidden_dropout, 0.2);
  EXPECT_EQ(config.attention_dropout, 0);
  EXPECT_EQ(config.layer_norm_eps, 1e-6);
  EXPECT_FALSE(config.pre_norm);
}

TEST_F(ModelFile, ReadsGpt2) {
  const std::string shape = R"("model_type": "gpt2", "vocab_size": 50257, "n_embd": 64, "n_layer": 3, "n_head": 4)";
  const ModelConfig plain = resolve("{" + shape + "}");
  EXPECT_EQ(plain.kind, ModelKind::kGpt2);
  EXPECT_EQ(plain.vocab_size, 50264);
  EXPECT_EQ(plain.intermediate_size, 256);
  EXPECT_EQ(plain.max_positions, 1024);
  EXPECT_EQ(plain.layer_norm_eps, 1e-5);
  EXPECT_TRUE(plain.tanh_gelu);
  EXPECT_EQ(plain.end_token, -1);
  const ModelConfig full = resolve("{" + shape + R"(, "n_inner": 100, "n_positions": 256, "resid_pdrop": 0.2,
      "embd_pdrop": 0.2, "attn_pdrop": 0, "scale_attn_by_inverse_layer_idx": true, "eos_token_id": 50256})");
  EXPECT_TRUE(full.scale_by_layer);
  std::string json = full.to_json();
  const ModelConfig back = resolve(json);
  EXPECT_EQ(back.to_json(), json);
  for (const char* other :
       {R"("resid_pdrop": 0.1, "embd_pdrop": 0)", R"("tie_word_embeddings": false)", R"("add_cross_attention": true)",
        R"("scale_attn_weights": false)", R"("activation_function": "relu")"}) {
    EXPECT_THROW(resolve("{" + shape + ", " + other + "}"), ConfigError) << other;
  }
}

TEST_F(ModelFile, ComesBack) {
  for (const char* name : {"tiny", "1.5b"}) {
    const ModelConfig config = resolve_model(name);
    EXPECT_EQ(resolve(config.to_json()).to_json(), config.to_json());
  }
}

TEST_F(ModelFile, RefusesNonsense) {
  EXPECT_THROW(resolve("{"), FormatError);
  EXPECT_THROW(resolve(R"({"vocab_size": 8})"), FormatError);
  const std::string head = R"({"vocab_size": 8, "num_hidden_layers": 1, "hidden_size": 10, "num_attention_heads": )";
  EXPECT_THROW(resolve(head + "3}"), ConfigError);
  EXPECT_THROW(resolve(head + "0}"), ConfigError);
  EXPECT_THROW(resolve(head + R"(2, "hidden_act": "relu"})"), ConfigError);
  EXPECT_THROW(resolve(head + R"(2, "hidden_dropout_prob": 1.5})"), ConfigError);
}

TEST_F(ModelFile, SkipsMissingFiles) {
  const ModelConfig config = resolve(R"({"vocab_size": 3443, "hidden_size": 64, "num_hidden_layers": 1,
      "num_attention_heads": 4, "hidden_act": null, "classifier_dropout": null, "id2label": {"0": "a"}})");
  EXPECT_EQ(config.pieces, 3443);
  EXPECT_EQ(config.intermediate_size, 256);
  EXPECT_EQ(config.token_types, 2);
  EXPECT_EQ(config.hidden_dropout, 0.1);
  EXPECT_FALSE(config.tanh_gelu);
  EXPECT_EQ(resolve_model(folder_.path().string()).to_json(), config.to_json());
}

TEST_F(ModelFile, NamesTheKeyThatIsWrong) {
  const auto message = [&](const std::string& key, const std::string& value) {
    std::map<std::string, std::string> keys{
        {"vocab_size", "80"}, {"hidden_size", "8"}, {"num_hidden_layers", "1"}, {"num_attention_heads", "2"}};
    keys[key] = value;
    std::string json;
    for (const auto& [name, text] : keys) json += (json.empty() ? "{\"" : ", \"") + name + "\": " + text;
    try {
      resolve(json + "}");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("taken");
  };
  EXPECT_EQ(message("model_type", "\"bert\""), "taken");
  for (const auto& [key, value] :
       std::vector<std::pair<std::string, std::string>>{{"hidden_size", "\"8\""},
                                                        {"hidden_size", "8.0"},
                                                        {"hidden_size", "-8"},
                                                        {"hidden_size", "1000000000000000000"},
                                                        {"num_hidden_layers", "4611686018427387904"},
                                                        {"vocab_size", "9223372036854775807"},
                                                        {"vocab_size", "null"},
                                                        {"hidden_dropout_prob", "\"0.1x\""},
                                                        {"layer_norm_eps", "0"},
                                                        {"initializer_range", "-1"},
                                                        {"layer_norm_large_model", "\"true\""},
                                                        {"type_vocab_size", "1"},
                                                        {"position_embedding_type", "\"relative_key\""},
                                                        {"embedding_size", "4"}}) {
    EXPECT_THAT(message(key, value), testing::AllOf(testing::HasSubstr("config.json"), testing::HasSubstr(key)));
  }
  EXPECT_THAT(message("model_type", "\"roberta\""), testing::HasSubstr("roberta"));
  EXPECT_THAT(message("is_decoder", "true"), testing::HasSubstr("decoder"));
  EXPECT_THAT(message("tie_word_embeddings", "false"), testing::HasSubstr("tie_word_embeddings"));
}

TEST(Memory, IsThatOfWeightsGradientsAndMoments) {
  const ModelConfig config = resolve_model("tiny");
  TrainOptions options;
  EXPECT_EQ(state_bytes(config, options, 4), config.parameters() * 16);
  options.process.zero = 1;
  EXPECT_EQ(state_bytes(config, options, 4), config.parameters() * 10);
  options.optimizer.optimizer = OptimizerKind::kLans;
  EXPECT_EQ(state_bytes(config, options, 1), config.parameters() * 20);
  EXPECT_GT(machine_memory_bytes(), std::uint64_t{1} << 28);
  require_memory(100, 2, 200);
  EXPECT_THROW(require_memory(100, 2, 199), ConfigError);
}

TEST(ParameterNames, OfOtherProgramsAreKnown) {
  EXPECT_EQ(canonical_parameter_name("module.bert.encoder.layer.0.intermediate.dense_act.weight"),
            "bert.encoder.layer.0.intermediate.dense.weight");
  EXPECT_EQ(canonical_parameter_name("bert.embeddings.LayerNorm.gamma"), "bert.embeddings.LayerNorm.weight");
  EXPECT_EQ(canonical_parameter_name("cls.predictions.bias"), "cls.predictions.bias");
}

TEST(TrainOptionsTest, RefusesWhatDoesNotFit) {
  TrainOptions options;
  options.validate_all();
  options.optimizer.epsilon = 0;
  EXPECT_THROW(options.validate_all(), ConfigError);
  options.optimizer.epsilon = 1e-6;
  options.optimizer.beta2 = 1;
  EXPECT_THROW(options.validate_all(), ConfigError);
  options.optimizer.beta2 = 0;
  options.model.dropout = -0.5;
  EXPECT_THROW(options.validate_all(), ConfigError);
  options.model.dropout = -1;
  options.data.micro_batch = 5;
  EXPECT_THROW(options.validate_all(), ConfigError);
  options.data.micro_batch = 8;
  options.schedule.warmup = 0.8;
  options.schedule.constant = 0.3;
  EXPECT_THROW(options.validate_all(), ConfigError);
  options.schedule.schedule = ScheduleKind::kLinear;
  EXPECT_THROW(options.validate_all(), ConfigError);
}

}  // namespace
}  // namespace bertprep::test
