// GradientParts: the gradients of ZeRO's second stage. What a backward pass makes is handed over bucket by bucket; of
// the sums over all processes, each keeps its own parts only.
//
// A parameter has a gradient from when the pass has made it to when the last of its buckets is full. So a process holds
// its parts, two buckets, and gradients on their way, of which that of the word embeddings is the largest.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

#include "trainer/background.h"
#include "trainer/distributed/gradient_buckets.h"
#include "trainer/torch/flat_values.h"
#include "trainer/torch/model.h"

namespace bertprep {

class GradientParts {
 public:
  // What is referred to must outlive the object. `background` makes the calls of `peers` that have no device.
  GradientParts(Model& model, const Peers& peers, const std::vector<GradientBucket>& buckets, Background& background);

  // The sums of the passes from now on. The first of them is taken as it is, others are added.
  void begin_step();
  void begin_pass();
  // All gradients of the bucket are there; buckets come in their order.
  void take(std::size_t bucket);
  // Waits until all that was taken is in the parts.
  void end_pass();

  // The own part of a tensor's gradient, values [begin, begin + count) of it.
  at::Tensor part(std::uint32_t tensor, std::int64_t begin, std::int64_t count) const;

 private:
  // A bucket on its way, and what it becomes.
  struct Sent {
    at::Tensor values;
    std::size_t bucket = 0;
  };
  at::Tensor filled(const GradientBucket& bucket);
  void keep(const Sent& sent);
  void keep_sent();
  std::int64_t own_offset(std::size_t bucket) const;  // of the own part in the bucket

  Model& model_;
  Peers peers_;
  const std::vector<GradientBucket>& buckets_;
  Background& background_;
  at::Tensor parts_;                           // own parts, one behind the other
  std::vector<std::int64_t> own_begins_;       // in parts_, of each bucket
  std::vector<std::uint32_t> buckets_left_;    // of each tensor, in this pass
  std::vector<std::uint32_t> buckets_of_all_;  // of each tensor
  std::vector<Sent> sent_;                     // on devices: not yet kept
  int posted_ = 0;                             // else: since all were kept
  bool is_first_pass_ = true;
};

}  // namespace bertprep
