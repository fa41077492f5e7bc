// Bert: BertForPreTraining (Devlin et al. 2018) on ATen: embeddings, encoder, pooler, both heads and their loss.
//
// Logits are made at the masked positions only; the decoder's weights are those of the word embeddings. With precision
// bf16 matrix products take bfloat16; sums, layer norms, softmax and losses are f32. Belongs to one thread.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "bertprep/trainer/train.h"
#include "trainer/distributed/gradient_buckets.h"
#include "trainer/parameters.h"
#include "trainer/torch/bert_batch.h"
#include "trainer/torch/functions.h"
#include "trainer/torch/products.h"

namespace bertprep {

struct Parameter {
  std::string name;
  at::Tensor value;  // f32, contiguous; its gradient is value.grad()
  bool decays = true;
};

struct BertMode {
  bool bf16 = false;
  bool bf16_as_f32 = false;          // on CPUs: operands are rounded, products are f32
  bool by_aten = false;              // on CPUs: as on other devices, slower
  std::int64_t recompute_every = 0;  // layers
  bool nvidia_start = false;         // of new weights
};

struct BertPass {
  bool dropout = true;
  std::uint64_t dropout_key = 0;  // another one for every step
  std::uint64_t first_row = 0;    // of this pass in the whole batch: each row has a dropout of its own
  // What the sums of losses are divided by for `total`; 0: the predictions, and the rows, of this pass.
  double mlm_divisor = 0;
  double nsp_divisor = 0;
};

struct BertLoss {
  at::Tensor total;    // divided; what backward() is called on
  double mlm_sum = 0;  // over the predictions
  double nsp_sum = 0;  // over the rows
  std::int64_t predictions = 0, mlm_correct = 0;
  std::int64_t rows = 0, nsp_correct = 0;
};

// Of the parameters, in their order.
std::vector<TensorSize> sizes_of(const std::vector<Parameter>& parameters);

class Bert {
 public:
  // Sees every intermediate result, by name, in the order of the pass.
  using Probe = std::function<void(const std::string& name, const at::Tensor& values)>;

  // Weights are drawn from `seed`, the same on every machine.
  Bert(const ModelConfig& config, const BertMode& mode, std::uint64_t seed, const at::Device& device);

  BertLoss loss(const BertBatch& batch, const BertPass& pass, const Probe& probe = {});

  std::vector<Parameter>& parameters() { return parameters_; }
  const std::vector<Parameter>& parameters() const { return parameters_; }
  const at::Tensor& weight(const std::string& name) const;
  const ModelConfig& config() const { return config_; }
  const at::Device& device() const { return device_; }
  // Gradients become undefined; the next backward() makes them anew.
  void clear_gradients();

  // All parameters are views into one array, in the order of a backward pass.
  const at::Tensor& values() const { return values_; }
  const FlatPlaces& places() const { return places_; }

  // The hidden values h and, with pre_norm, the residual stream s.
  struct Stream {
    at::Tensor hidden, residual;
  };
  struct PassContext {
    at::Tensor mask;  // added to the attention scores: rows x 1 x 1 x tokens
    BertPass pass;
    const Probe* probe = nullptr;
  };
  // Layers [first, last). Public for the recomputation of activations.
  Stream layers(Stream stream, std::int64_t first, std::int64_t last, const PassContext& context) const;

 private:
  at::Tensor linear(const at::Tensor& input, const std::string& name) const;
  at::Tensor norm(const at::Tensor& input, const std::string& name) const;
  at::Tensor activation(const at::Tensor& input) const;
  at::Tensor embed(const BertBatch& batch, const PassContext& context) const;
  at::Tensor self_attention(const at::Tensor& hidden, std::int64_t layer, const PassContext& context) const;
  at::Tensor attention_by_aten(const at::Tensor& hidden, std::int64_t layer, const PassContext& context) const;
  Stream layer(const Stream& stream, std::int64_t layer, const PassContext& context) const;
  at::Tensor encode(const BertBatch& batch, const PassContext& context) const;
  LabelLoss mlm_loss(const at::Tensor& sequence, const BertBatch& batch, const PassContext& context) const;
  LabelLoss nsp_loss(const at::Tensor& sequence, const BertBatch& batch, const PassContext& context) const;

  ModelConfig config_;
  BertMode mode_;
  at::Device device_;
  Products products_;
  bool has_products_ = false;  // on CPUs
  FlatPlaces places_;
  at::Tensor values_;
  std::vector<Parameter> parameters_;
  std::unordered_map<std::string, std::size_t> index_;
};

}  // namespace bertprep
