#include "bertprep/trainer/model_config.h"

#include <gtest/gtest.h>

#include <fstream>

#include "bertprep/base/error.h"
#include "bertprep/trainer/train_options.h"
#include "support/temp_folder.h"
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
  EXPECT_THROW(resolve_model("huge"), ConfigError);
}

TEST(ModelPresets, ParametersAreCountedAsTheyAreMade) {
  for (const char* name : {"tiny", "base", "1.5b"}) {
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

TEST(ParameterNames, OfOtherProgramsAreKnown) {
  EXPECT_EQ(canonical_parameter_name("module.bert.encoder.layer.0.intermediate.dense_act.weight"),
            "bert.encoder.layer.0.intermediate.dense.weight");
  EXPECT_EQ(canonical_parameter_name("bert.embeddings.LayerNorm.gamma"), "bert.embeddings.LayerNorm.weight");
  EXPECT_EQ(canonical_parameter_name("cls.predictions.bias"), "cls.predictions.bias");
}

TEST(TrainOptionsTest, RefusesWhatDoesNotFit) {
  TrainOptions options;
  options.validate_all();
  options.data.micro_batch = 5;
  EXPECT_THROW(options.validate_all(), ConfigError);
  options.data.micro_batch = 8;
  options.schedule.warmup = 0.8;
  options.schedule.constant = 0.3;
  EXPECT_THROW(options.validate_all(), ConfigError);
  options.schedule.schedule = "linear";
  EXPECT_THROW(options.validate_all(), ConfigError);
}

}  // namespace
}  // namespace bertprep::test
