// The parameters of BertForPreTraining and GPT2LMHeadModel: names as in HuggingFace's transformers, shapes, and initial
// values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/trainer/train.h"

namespace bertprep {

struct ParameterSpec {
  enum class Init { kNormal, kZero, kOne, kUniform };

  std::string name;
  std::vector<std::int64_t> shape;
  Init init = Init::kNormal;  // kNormal: N(0, initializer_range x scale)
  bool decays = true;         // false: biases and layer norms
  double range = 0;           // kUniform: between -range and range
  double scale = 1;

  std::int64_t size() const;
};

// Those that decay come first, so that both kinds are contiguous when the parameters are concatenated. The decoder
// shares the word embeddings, which are listed once.
std::vector<ParameterSpec> parameter_specs(const ModelConfig& config);

// The name of the word embeddings, which are also the decoder's weights.
std::string word_embeddings_name(ModelKind kind);
// The class in transformers with these parameters.
std::string_view architecture_of(ModelKind kind);

// Draws new weights like NVIDIA's trainer and its derivatives: layers with a built-in activation (intermediate, pooler,
// transform) keep PyTorch's initialization of a linear layer, weights and biases uniform within 1 / sqrt(inputs).
void use_nvidia_start(std::vector<ParameterSpec>& specs);

// The numbers of the parameters in the order in which a backward pass completes their gradients: heads, layers from the
// last to the first, embeddings.
std::vector<std::uint32_t> backward_order(const std::vector<ParameterSpec>& specs);

// The name used here for a parameter's name by NVIDIA, Habana, Google or OpenAI; otherwise `name` itself.
std::string canonical_parameter_name(const std::string& name);

// Normal numbers from a counter: the same on every machine and for any number of threads. `count` values of mean 0.
void fill_uniform(float* values, std::int64_t count, double range, std::uint64_t seed, std::uint64_t stream);
void fill_normal(float* values, std::int64_t count, double deviation, std::uint64_t seed, std::uint64_t stream);

}  // namespace bertprep
