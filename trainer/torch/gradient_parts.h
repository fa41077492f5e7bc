// GradientParts: the gradients of ZeRO's second stage. A backward pass passes them on bucket by bucket; of the sums
// over all processes, each process keeps only its own parts.
//
// The gradient of a parameter exists from its computation until the last of its buckets is full. So a process holds its
// parts, two buckets, and pending gradients, of which that of the word embeddings is the largest.
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
  // Arguments passed by reference must outlive the object. Without devices, `background` calls `peers`.
  GradientParts(Model& model, const Peers& peers, const std::vector<GradientBucket>& buckets, Background& background);

  // Starts the sums of a step. The first pass sets them, others add to them.
  void begin_step();
  void begin_pass();
  // All gradients of the bucket are complete; buckets come in order.
  void take(std::size_t bucket);
  // Waits until all buckets taken are in the parts.
  void end_pass();

  // This process's part of a tensor's gradient, values [begin, begin + count) of it.
  at::Tensor part(std::uint32_t tensor, std::int64_t begin, std::int64_t count) const;

 private:
  // A bucket being exchanged, and its result.
  struct Sent {
    at::Tensor values;
    std::size_t bucket = 0;
  };
  at::Tensor filled(const GradientBucket& bucket);
  void keep(const Sent& sent);
  void keep_sent();
  std::int64_t own_offset(std::size_t bucket) const;  // of this process's part in the bucket

  Model& model_;
  Peers peers_;
  const std::vector<GradientBucket>& buckets_;
  Background& background_;
  at::Tensor parts_;                           // this process's parts, concatenated
  std::vector<std::int64_t> own_begins_;       // in parts_, of each bucket
  std::vector<std::uint32_t> buckets_left_;    // of each tensor, in this pass
  std::vector<std::uint32_t> buckets_of_all_;  // of each tensor
  std::vector<Sent> sent_;                     // on devices: not yet added to the parts
  int posted_ = 0;                             // elsewhere: buckets queued since all were added
  bool is_first_pass_ = true;
};

}  // namespace bertprep
