// GradientExchange: sums the gradients of all processes while the backward pass still runs.
//
// As soon as the gradients of a bucket are complete, they are summed over all processes, in the same order of buckets
// everywhere: in host memory by a thread, on GPUs by a separate stream. Gradients are in one array and exchanged in the
// last pass of a step; with kParts, they are exchanged in each pass and only parts are kept.
#pragma once

#include <ATen/ATen.h>
#include <torch/csrc/autograd/function.h>

#include <memory>
#include <optional>
#include <vector>

#include "trainer/background.h"
#include "trainer/distributed/gradient_buckets.h"
#include "trainer/torch/flat_values.h"
#include "trainer/torch/gradient_parts.h"
#include "trainer/torch/model.h"

namespace bertprep {

// Which sums each process has.
enum class GradientShare {
  kAll,   // all
  kSums,  // those of its own parts; the rest of the array is unused (ZeRO 1)
  kParts  // those of its own parts, without the array (ZeRO 2)
};

class GradientExchange {
 public:
  // Arguments passed by reference must outlive the object. Between begin() and finish(), nothing else may call the
  // peers.
  GradientExchange(Model& model, const Peers& peers, const std::vector<GradientBucket>& buckets, GradientShare share);
  ~GradientExchange();
  GradientExchange(const GradientExchange&) = delete;
  GradientExchange& operator=(const GradientExchange&) = delete;

  // Sets all gradients to 0; passes add to them.
  void begin();
  // Before and after each backward pass.
  void begin_pass(bool is_last);
  void end_pass();
  // Waits until all gradients are sums.
  void finish();

  // With kParts: this process's part of a tensor's gradient, values [begin, begin + count) of it.
  at::Tensor part(std::uint32_t tensor, std::int64_t begin, std::int64_t count) const {
    return parts_->part(tensor, begin, count);
  }

  // Seconds that finish() has waited so far: what the backward pass did not hide. On GPUs, the time that default
  // streams have waited for exchanges.
  double waited_seconds() const {
    return peers_.devices != nullptr ? peers_.devices->waited_seconds() : waited_seconds_;
  }

 private:
  void gradient_is_ready(std::size_t tensor);
  void send_complete_buckets();
  void send(const GradientBucket& bucket);
  void make_array();

  Model& model_;
  Peers peers_;
  const std::vector<GradientBucket>& buckets_;
  GradientShare share_;
  at::Tensor gradients_;
  std::vector<std::shared_ptr<torch::autograd::Node>> accumulators_;  // autograd keeps them alive only as long as we do
  std::vector<std::uintptr_t> hooks_;
  std::vector<std::vector<std::size_t>> buckets_of_;  // of each tensor
  std::vector<std::size_t> missing_;                  // tensors that each bucket still waits for
  std::size_t next_ = 0;                              // next bucket to send
  bool sends_ = false;                                // buckets that the pass completes
  double waited_seconds_ = 0;
  std::optional<GradientParts> parts_;
  Background background_;  // the last member: ends before the members that it uses
};

}  // namespace bertprep
