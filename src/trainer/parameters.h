// The parameters of BertForPreTraining: names as HuggingFace's transformers have them, shapes, and how each begins.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bertprep/trainer/model_config.h"

namespace bertprep {

struct ParameterSpec {
  enum class Start { Normal, Zero, One };

  std::string name;
  std::vector<std::int64_t> shape;
  Start start = Start::Normal;  // Normal: N(0, initializer_range)
  bool decays = true;           // false: biases and layer norms

  std::int64_t size() const;
};

// Those that decay come first, so that both kinds are contiguous when the parameters lie behind each other. The decoder
// shares the word embeddings and stands here once.
std::vector<ParameterSpec> parameter_specs(const ModelConfig& config);

// The name here of a parameter as NVIDIA, Habana or Google call it; `name` itself when there is no other.
std::string canonical_parameter_name(const std::string& name);

// Normal numbers from a counter: the same for every machine and number of threads. `count` values of mean 0.
void fill_normal(float* values, std::int64_t count, double deviation, std::uint64_t seed, std::uint64_t stream);

}  // namespace bertprep
