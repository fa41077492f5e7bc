// GradientExchange: the gradients of all processes are added up while the backward pass still runs.
//
// Gradients lie in one array. As soon as those of a bucket are complete, they are added up over all processes, in the
// same order of buckets everywhere: in the memory of the machine by a thread, on GPUs by a stream of their own.
#pragma once

#include <ATen/ATen.h>
#include <torch/csrc/autograd/function.h>

#include <memory>
#include <vector>

#include "trainer/background.h"
#include "trainer/distributed/gradient_buckets.h"
#include "trainer/torch/bert.h"
#include "trainer/torch/flat_values.h"

namespace bertprep {

class GradientExchange {
 public:
  // `whole`: every process gets all sums, else (ZeRO) those of its own parts only. What is referred to must outlive the
  // object. Between begin() and finish() nobody else may call the peers.
  GradientExchange(Bert& model, const Peers& peers, const std::vector<GradientBucket>& buckets, bool whole);
  ~GradientExchange();
  GradientExchange(const GradientExchange&) = delete;
  GradientExchange& operator=(const GradientExchange&) = delete;

  // All gradients are 0 from now on; passes add to them.
  void begin();
  // The next backward pass is the last one of the step: what it completes goes out.
  void expect_last_pass();
  // Returns when all gradients are sums.
  void finish();

  // Seconds that finish() has waited so far: what the backward pass did not hide. On GPUs, those that their default
  // streams have waited for any exchange.
  double waited_seconds() const {
    return peers_.devices != nullptr ? peers_.devices->waited_seconds() : waited_seconds_;
  }

 private:
  void gradient_is_ready(std::size_t tensor);
  void send_complete_buckets();

  Bert& model_;
  Peers peers_;
  const std::vector<GradientBucket>& buckets_;
  bool whole_;
  at::Tensor gradients_;
  std::vector<std::shared_ptr<torch::autograd::Node>> accumulators_;  // autograd keeps them as long as we do
  std::vector<std::uintptr_t> hooks_;
  std::vector<std::vector<std::size_t>> buckets_of_;  // of each tensor
  std::vector<std::size_t> missing_;                  // tensors that each bucket still waits for
  std::size_t next_ = 0;                              // bucket to be sent
  bool last_pass_ = false;
  double waited_seconds_ = 0;
  Background background_;  // the last member: it ends before what it uses
};

}  // namespace bertprep
