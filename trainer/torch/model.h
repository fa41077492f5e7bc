// Model: the object of training: parameters in one array, and a loss as a function of them and of rows.
//
// With precision bf16, operands of matrix products are bfloat16; sums, layer norms, softmax and losses are f32. For one
// thread only.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "bertprep/trainer/train.h"
#include "trainer/distributed/gradient_buckets.h"
#include "trainer/parameters.h"
#include "trainer/torch/functions.h"
#include "trainer/torch/model_batch.h"
#include "trainer/torch/products.h"

namespace bertprep {

struct Parameter {
  std::string name;
  at::Tensor value;  // f32, contiguous; its gradient is value.grad()
  bool decays = true;
};

struct ModelMode {
  bool bf16 = false;
  bool bf16_as_f32 = false;          // on CPUs: operands are rounded, products are f32
  bool by_aten = false;              // on CPUs: as on other devices, but slower
  std::int64_t recompute_every = 0;  // layers
  bool nvidia_start = false;         // of new weights
};

struct ModelPass {
  bool dropout = true;
  std::uint64_t dropout_key = 0;  // different for every step
  std::uint64_t first_row = 0;    // of this pass in the whole batch: each row has a different dropout
  // What the sums of losses are divided by for `total`; 0: the predictions, and the rows, of this pass.
  double mlm_divisor = 0;
  double nsp_divisor = 0;
};

struct ModelLoss {
  at::Tensor total;    // divided; the argument of backward()
  double mlm_sum = 0;  // over the predictions: masked tokens, or next ones
  double nsp_sum = 0;  // over the rows
  std::int64_t predictions = 0, mlm_correct = 0;
  std::int64_t rows = 0, nsp_correct = 0;
};

// The sizes of the parameters, in their order.
std::vector<TensorSize> sizes_of(const std::vector<Parameter>& parameters);

class Model {
 public:
  // Receives every intermediate result, by name, in the order of the pass.
  using Probe = std::function<void(const std::string& name, const at::Tensor& values)>;

  virtual ~Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  // Rows [first, first + count) as this model expects them.
  ModelBatch batch_of(const Batch& rows, std::size_t first, std::size_t count) const;
  ModelLoss loss(const ModelBatch& batch, const ModelPass& pass, const Probe& probe = {});

  std::vector<Parameter>& parameters() { return parameters_; }
  const std::vector<Parameter>& parameters() const { return parameters_; }
  const at::Tensor& weight(const std::string& name) const;
  const ModelConfig& config() const { return config_; }
  const at::Device& device() const { return device_; }
  // Gradients become undefined; the next backward() creates them again.
  void clear_gradients();

  // All parameters are views into one array, in the order of a backward pass.
  const at::Tensor& values() const { return values_; }
  const FlatPlaces& places() const { return places_; }

  // The data between layers: hidden values and, in some models, a separate residual stream.
  struct Stream {
    at::Tensor hidden, residual;
  };
  struct PassContext {
    at::Tensor mask;  // added to the attention scores: rows x 1 x 1 x tokens
    ModelPass pass;
    const Probe* probe = nullptr;
  };
  // Layers [first, last). Public for recomputing activations.
  Stream layers(Stream stream, std::int64_t first, std::int64_t last, const PassContext& context) const;

 protected:
  // Draws weights from `seed`, the same on every machine.
  Model(const ModelConfig& config, const ModelMode& mode, std::uint64_t seed, const at::Device& device);
  Model(Model&&) = default;

  virtual ModelLoss pass_forth(const ModelBatch& batch, const PassContext& context) const = 0;
  virtual Stream layer(const Stream& stream, std::int64_t layer, const PassContext& context) const = 0;

  // All layers, with activations kept or recomputed according to the mode.
  Stream all_layers(const Stream& first, const PassContext& context) const;
  at::Tensor linear(const at::Tensor& input, const std::string& name,
                    WeightLayout layout = WeightLayout::kOutByIn) const;
  at::Tensor norm(const at::Tensor& input, const std::string& name) const;
  at::Tensor activation(const at::Tensor& input) const;
  // The places of dropout in a pass; those of a layer are distinguished by its number.
  enum DropoutPlace : std::uint64_t { kEmbeddings, kAttentionShares, kAttentionOutput, kOutput, kPlaces };
  static std::uint64_t place_in_layer(std::int64_t layer, DropoutPlace place);
  static std::uint64_t dropout_key(const ModelPass& pass, std::uint64_t place);
  static at::Tensor drop(const at::Tensor& values, double p, const PassContext& context, std::uint64_t place);
  // The loss of logits that are products of `hidden` and the word embeddings, plus `bias` if it is defined.
  LabelLoss decoder_loss(const at::Tensor& hidden, const at::Tensor& bias, const ModelBatch& batch,
                         const PassContext& context, const std::string& name) const;
  static void look(const PassContext& context, const std::string& name, const at::Tensor& values);

  const ModelMode& mode() const { return mode_; }
  // Only on CPUs; otherwise null.
  const Products* products() const { return has_products_ ? &products_ : nullptr; }

 private:
  ModelConfig config_;
  ModelMode mode_;
  at::Device device_;
  Products products_;
  bool has_products_ = false;
  FlatPlaces places_;
  at::Tensor values_;
  std::vector<Parameter> parameters_;
  std::unordered_map<std::string, std::size_t> index_;
};

// The model described by the configuration.
std::unique_ptr<Model> make_model(const ModelConfig& config, const ModelMode& mode, std::uint64_t seed,
                                  const at::Device& device);

// Activation checkpointing (Chen et al. 2016): a span of layers keeps only its input and is computed again in the
// backward pass. Dropout is a function of its key, so both computations are the same. `model` must live until the end
// of the backward pass.
Model::Stream recomputed_layers(const Model& model, const Model::Stream& stream, std::int64_t first, std::int64_t last,
                                const Model::PassContext& context);

}  // namespace bertprep
