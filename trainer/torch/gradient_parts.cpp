#include "trainer/torch/gradient_parts.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <numeric>

namespace bertprep {
namespace {

constexpr int kMaxInFlight = 2;

}  // namespace

GradientParts::GradientParts(Model& model, const Peers& peers, const std::vector<GradientBucket>& buckets,
                             Background& background)
    : model_(model),
      peers_(peers),
      buckets_(buckets),
      background_(background),
      buckets_of_all_(model.parameters().size()) {
  std::int64_t own = 0;
  for (const GradientBucket& bucket : buckets) {
    own_begins_.push_back(own);
    own += static_cast<std::int64_t>(bucket.parts[peers.processes->rank()]);
    for (const std::uint32_t tensor : bucket.tensors) ++buckets_of_all_[tensor];
  }
  parts_ = at::zeros({own}, model.values().options());
}

void GradientParts::begin_step() {
  is_first_pass_ = true;
}

void GradientParts::begin_pass() {
  buckets_left_ = buckets_of_all_;
}

// Tensors not used in the pass count as zeros, as do the gaps between tensors.
at::Tensor GradientParts::filled(const GradientBucket& bucket) {
  const auto begin = static_cast<std::int64_t>(bucket.begin);
  const auto end = begin + static_cast<std::int64_t>(bucket.count);
  at::Tensor values = at::zeros({end - begin}, parts_.options());
  for (const std::uint32_t tensor : bucket.tensors) {
    at::Tensor& value = model_.parameters()[tensor].value;
    const at::Tensor gradient = value.grad();
    if (gradient.defined()) {
      const std::int64_t place = model_.places().begins[tensor];
      const std::int64_t first = std::max(begin, place);
      const std::int64_t count = std::min(end, place + value.numel()) - first;
      values.narrow(0, first - begin, count).copy_(gradient.reshape({-1}).narrow(0, first - place, count));
    }
    if (--buckets_left_[tensor] == 0) value.mutable_grad().reset();
  }
  return values;
}

void GradientParts::take(std::size_t bucket) {
  const at::NoGradGuard no_gradients;
  const Sent sent{filled(buckets_[bucket]), bucket};
  if (peers_.devices != nullptr) {
    keep_sent();
    at::Tensor values = sent.values;
    reduce_values(peers_, values, buckets_[bucket].parts);
    sent_.push_back(sent);
    return;
  }
  if (posted_ == kMaxInFlight) {
    background_.wait();
    posted_ = 0;
  }
  ++posted_;
  background_.post([this, sent] {
    const at::NoGradGuard none_here;
    at::Tensor values = sent.values;
    reduce_values(peers_, values, buckets_[sent.bucket].parts);
    keep(sent);
  });
}

std::int64_t GradientParts::own_offset(std::size_t bucket) const {
  const auto& parts = buckets_[bucket].parts;
  const auto rank = static_cast<std::ptrdiff_t>(peers_.processes->rank());
  return static_cast<std::int64_t>(std::accumulate(parts.begin(), parts.begin() + rank, std::size_t{0}));
}

void GradientParts::keep(const Sent& sent) {
  const auto count = static_cast<std::int64_t>(buckets_[sent.bucket].parts[peers_.processes->rank()]);
  at::Tensor own = parts_.narrow(0, own_begins_[sent.bucket], count);
  const at::Tensor sum = sent.values.narrow(0, own_offset(sent.bucket), count);
  is_first_pass_ ? own.copy_(sum) : own.add_(sum);
}

void GradientParts::keep_sent() {
  if (sent_.empty()) return;
  peers_.devices->join();
  // Host memory, as used by tests, has no stream to wait on.
  if (parts_.is_cpu()) peers_.devices->wait();
  for (const Sent& sent : sent_) keep(sent);
  sent_.clear();
}

void GradientParts::end_pass() {
  const at::NoGradGuard no_gradients;
  if (peers_.devices != nullptr) {
    keep_sent();
  } else {
    background_.wait();
    posted_ = 0;
  }
  is_first_pass_ = false;
}

at::Tensor GradientParts::part(std::uint32_t tensor, std::int64_t begin, std::int64_t count) const {
  const std::int64_t place = model_.places().begins[tensor] + begin;
  const auto after = std::upper_bound(
      buckets_.begin(), buckets_.end(), place,
      [](std::int64_t value, const GradientBucket& bucket) { return value < static_cast<std::int64_t>(bucket.begin); });
  const auto bucket = static_cast<std::size_t>(after - buckets_.begin()) - 1;
  const std::int64_t inside = place - static_cast<std::int64_t>(buckets_[bucket].begin) - own_offset(bucket);
  return parts_.narrow(0, own_begins_[bucket] + inside, count);
}

}  // namespace bertprep
