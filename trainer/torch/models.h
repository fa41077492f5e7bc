// The models on ATen: BERT (bert.cpp) and GPT-2 (gpt2.cpp).
#pragma once

#include "trainer/torch/model.h"

namespace bertprep {

// BertForPreTraining (Devlin et al. 2018): embeddings, encoder, pooler, both heads and their loss. Logits are computed
// only at the masked positions; the decoder's weights are those of the word embeddings.
class Bert final : public Model {
 public:
  Bert(const ModelConfig& config, const ModelMode& mode, std::uint64_t seed, const at::Device& device)
      : Model(config, mode, seed, device) {}

 private:
  ModelLoss pass_forth(const ModelBatch& batch, const PassContext& context) const override;
  // The hidden values, and with pre_norm the residual stream.
  Stream layer(const Stream& stream, std::int64_t layer, const PassContext& context) const override;
  at::Tensor embed(const ModelBatch& batch, const PassContext& context) const;
  at::Tensor self_attention(const at::Tensor& hidden, std::int64_t layer, const PassContext& context) const;
  LabelLoss mlm_loss(const at::Tensor& sequence, const ModelBatch& batch, const PassContext& context) const;
  LabelLoss nsp_loss(const at::Tensor& sequence, const ModelBatch& batch, const PassContext& context) const;
};

// GPT2LMHeadModel (Radford et al. 2019): embeddings, blocks with the layer norm first, and the loss of each next token.
// The decoder's weights are those of the word embeddings.
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
