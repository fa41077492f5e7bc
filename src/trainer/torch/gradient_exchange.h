// GradientExchange: the gradients of all processes are added up while the backward pass still runs.
//
// As soon as the gradients of a bucket are complete, they are added up over all processes, in the same order of
// buckets everywhere: in the memory of the machine by a thread, on GPUs by a stream of their own. Gradients lie in one
// array and are exchanged in the last pass of a step; with kParts, they are exchanged in each pass and only parts of
// them kept.
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

// What each process has of the sums.
enum class GradientShare {
  kWhole,  // all of them
  kSums,   // those of its own parts; the rest of the array is of no use (ZeRO 1)
  kParts   // those of its own parts, and no array (ZeRO 2)
};

class GradientExchange {
 public:
  // What is referred to must outlive the object. Between begin() and finish() nobody else may call the peers.
  GradientExchange(Model& model, const Peers& peers, const std::vector<GradientBucket>& buckets, GradientShare share);
  ~GradientExchange();
  GradientExchange(const GradientExchange&) = delete;
  GradientExchange& operator=(const GradientExchange&) = delete;

  // All gradients are 0 from now on; passes add to them.
  void begin();
  // Before each backward pass, and behind it.
  void begin_pass(bool is_last);
  void end_pass();
  // Returns when all gradients are sums.
  void finish();

  // With kParts: the own part of a tensor's gradient, values [begin, begin + count) of it.
  at::Tensor part(std::uint32_t tensor, std::int64_t begin, std::int64_t count) const {
    return parts_->part(tensor, begin, count);
  }

  // Seconds that finish() has waited so far: what the backward pass did not hide. On GPUs, those that their default
  // streams have waited for any exchange.
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
  std::vector<std::shared_ptr<torch::autograd::Node>> accumulators_;  // autograd keeps them as long as we do
  std::vector<std::uintptr_t> hooks_;
  std::vector<std::vector<std::size_t>> buckets_of_;  // of each tensor
  std::vector<std::size_t> missing_;                  // tensors that each bucket still waits for
  std::size_t next_ = 0;                              // bucket to be sent
  bool sends_ = false;                                // what the pass completes
  double waited_seconds_ = 0;
  std::optional<GradientParts> parts_;
  Background background_;  // the last member: it ends before what it uses
};

}  // namespace bertprep
