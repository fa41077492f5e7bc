#include "trainer/torch/gradient_exchange.h"

#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <chrono>
#include <functional>

namespace bertprep {
namespace {

using torch::autograd::variable_list;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Called after a parameter's gradient was accumulated.
struct AfterAccumulation final : torch::autograd::FunctionPostHook {
  explicit AfterAccumulation(std::function<void()> what) : call(std::move(what)) {}
  variable_list operator()(const variable_list& outputs, const variable_list&) override {
    call();
    return outputs;
  }
  std::function<void()> call;
};

}  // namespace

GradientExchange::GradientExchange(Model& model, const Peers& peers, const std::vector<GradientBucket>& buckets,
                                   GradientShare share)
    : model_(model), peers_(peers), buckets_(buckets), share_(share), missing_(buckets.size()) {
  if (share == GradientShare::kParts) {
    parts_.emplace(model, peers_, buckets_, background_);
  } else {
    make_array();
  }
  buckets_of_.resize(model.parameters().size());
  for (std::size_t bucket = 0; bucket < buckets.size(); ++bucket) {
    for (const std::uint32_t tensor : buckets[bucket].tensors) buckets_of_[tensor].push_back(bucket);
  }
  for (std::size_t i = 0; i < model.parameters().size(); ++i) {
    const auto accumulator = torch::autograd::impl::grad_accumulator(model.parameters()[i].value);
    hooks_.push_back(
        accumulator->add_post_hook(std::make_unique<AfterAccumulation>([this, i] { gradient_is_ready(i); })));
    accumulators_.push_back(accumulator);
  }
}

void GradientExchange::make_array() {
  gradients_ = at::zeros_like(model_.values());
  for (std::size_t i = 0; i < model_.parameters().size(); ++i) {
    at::Tensor& value = model_.parameters()[i].value;
    value.mutable_grad() = gradients_.narrow(0, model_.places().begins[i], value.numel()).view(value.sizes());
  }
}

GradientExchange::~GradientExchange() {
  for (std::size_t i = 0; i < hooks_.size(); ++i) accumulators_[i]->del_post_hook(hooks_[i]);
  model_.clear_gradients();
}

void GradientExchange::begin() {
  const at::NoGradGuard no_gradients;
  parts_ ? parts_->begin_step() : void(gradients_.zero_());
}

void GradientExchange::begin_pass(bool is_last) {
  sends_ = is_last || parts_;
  if (!sends_) return;
  if (parts_) parts_->begin_pass();
  for (std::size_t i = 0; i < buckets_.size(); ++i) missing_[i] = buckets_[i].tensors.size();
  next_ = 0;
}

void GradientExchange::gradient_is_ready(std::size_t tensor) {
  if (!sends_) return;
  for (const std::size_t bucket : buckets_of_[tensor]) --missing_[bucket];
  send_complete_buckets();
}

void GradientExchange::send_complete_buckets() {
  for (; next_ < buckets_.size() && missing_[next_] == 0; ++next_) {
    parts_ ? parts_->take(next_) : send(buckets_[next_]);
  }
}

void GradientExchange::send(const GradientBucket& bucket) {
  const bool whole = share_ == GradientShare::kAll;
  if (peers_.devices != nullptr) {
    reduce_bucket(peers_, gradients_, bucket, whole);
  } else {
    background_.post([this, &bucket, whole] { reduce_bucket(peers_, gradients_, bucket, whole); });
  }
}

void GradientExchange::end_pass() {
  if (!sends_) return;
  // A parameter not used in the pass keeps the sums of earlier passes.
  for (std::size_t i = next_; i < buckets_.size(); ++i) missing_[i] = 0;
  send_complete_buckets();
  sends_ = false;
  if (!parts_) return;
  const auto start = Clock::now();
  parts_->end_pass();
  if (peers_.devices == nullptr) waited_seconds_ += seconds_since(start);
}

void GradientExchange::finish() {
  if (peers_.devices != nullptr) {
    peers_.devices->join();
    peers_.devices->wait();
    return;
  }
  const auto start = Clock::now();
  background_.wait();
  waited_seconds_ += seconds_since(start);
}

}  // namespace bertprep
