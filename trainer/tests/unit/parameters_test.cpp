#include "trainer/parameters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace bertprep::test {
namespace {

TEST(Parameters, OnlyWeightsDecayAndComeFirst) {
  const auto specs = parameter_specs({.vocab_size = 96, .hidden_size = 16, .layers = 1, .attention_heads = 4});
  bool decays = true;
  for (const ParameterSpec& spec : specs) {
    EXPECT_EQ(spec.decays, spec.name.ends_with(".weight") && spec.name.find("LayerNorm") == std::string::npos)
        << spec.name;
    EXPECT_LE(spec.decays, decays) << spec.name;
    decays = spec.decays;
  }
  EXPECT_FALSE(decays);
}

TEST(Parameters, NvidiaStartIsUniformWhereAnActivationIsBuiltIn) {
  ModelConfig config{.vocab_size = 96, .hidden_size = 16, .layers = 2, .attention_heads = 4, .intermediate_size = 64};
  auto specs = parameter_specs(config);
  use_nvidia_start(specs);
  std::set<std::string> uniform;
  for (const ParameterSpec& spec : specs) {
    if (spec.init != ParameterSpec::Init::kUniform) continue;
    uniform.insert(spec.name);
    // The input of all three kinds is the hidden values.
    EXPECT_DOUBLE_EQ(spec.range, 0.25) << spec.name;
  }
  EXPECT_EQ(uniform,
            (std::set<std::string>{
                "bert.encoder.layer.0.intermediate.dense.bias", "bert.encoder.layer.0.intermediate.dense.weight",
                "bert.encoder.layer.1.intermediate.dense.bias", "bert.encoder.layer.1.intermediate.dense.weight",
                "bert.pooler.dense.bias", "bert.pooler.dense.weight", "cls.predictions.transform.dense.bias",
                "cls.predictions.transform.dense.weight"}));
}

TEST(Parameters, UniformNumbersFillTheirRange) {
  std::vector<float> values(100'000);
  fill_uniform(values.data(), static_cast<std::int64_t>(values.size()), 0.5, 1, 2);
  double sum = 0;
  double squares = 0;
  for (const float value : values) {
    sum += static_cast<double>(value);
    squares += static_cast<double>(value) * static_cast<double>(value);
  }
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  EXPECT_GE(*least, -0.5F);
  EXPECT_LE(*most, 0.5F);
  EXPECT_NEAR(*least, -0.5, 1e-3);
  EXPECT_NEAR(*most, 0.5, 1e-3);
  EXPECT_NEAR(sum / 1e5, 0, 0.005);
  EXPECT_NEAR(squares / 1e5, 1.0 / 12, 0.001);
}

}  // namespace
}  // namespace bertprep::test
