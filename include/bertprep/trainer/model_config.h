// ModelConfig: the shape of a BERT model with both pretraining heads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace bertprep {

struct ModelConfig {
  std::int64_t vocab_size = 30528;  // rows of the embedding table; a multiple of 8
  std::int64_t pieces = 30522;      // of the vocabulary: token ids are below; the rows behind them are padding
  std::int64_t hidden_size = 128;
  std::int64_t layers = 2;
  std::int64_t attention_heads = 2;
  std::int64_t intermediate_size = 512;
  std::int64_t max_positions = 512;
  std::int64_t token_types = 2;
  double hidden_dropout = 0.1;
  double attention_dropout = 0.1;
  double initializer_range = 0.02;
  double layer_norm_eps = 1e-12;
  bool tanh_gelu = false;  // the approximation by tanh instead of the error function
  // The large models of Habana: layer norm before each block, and the embeddings stay out of the residual stream.
  bool pre_norm = false;

  // Throws ConfigError for sizes that don't fit together; `where` names their origin.
  void validate(const std::string& where) const;
  std::uint64_t parameters() const;
  // config.json as HuggingFace's transformers read it.
  std::string to_json() const;
};

// `model` is one of tiny, base, large, 1.5b, 5b, or a config.json of HuggingFace or Google, or a folder that holds one.
// Its vocab_size is rounded up to a multiple of 8. Throws ConfigError, also for what this model can't do, IoError,
// FormatError.
ModelConfig resolve_model(const std::string& model);
// A name that is built in comes before a file or folder of that name.
bool is_built_in_model(const std::string& model);

// `size` rounded up to what matrix kernels like.
std::int64_t padded_vocab_size(std::int64_t size);

}  // namespace bertprep
