// Gpt2: GPT2LMHeadModel (Radford et al. 2019) on ATen: embeddings, blocks with the layer norm in front, and the loss of
// each next token. The decoder's weights are those of the word embeddings.
#pragma once

#include "trainer/torch/model.h"

namespace bertprep {

class Gpt2 final : public Model {
 public:
  Gpt2(const ModelConfig& config, const ModelMode& mode, std::uint64_t seed, const at::Device& device)
      : Model(config, mode, seed, device) {}

 private:
  ModelLoss pass_forth(const ModelBatch& batch, const PassContext& context) const override;
  // The hidden values are the residual stream itself.
  Stream layer(const Stream& stream, std::int64_t layer, const PassContext& context) const override;
  at::Tensor embed(const ModelBatch& batch, const PassContext& context) const;
  at::Tensor self_attention(const at::Tensor& hidden, std::int64_t layer, const PassContext& context) const;
};

}  // namespace bertprep
