#include "trainer/torch/gradient_exchange.h"

#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <chrono>
#include <functional>

namespace bertprep {
namespace {

using torch::autograd::variable_list;

// Called when a parameter's gradient has been added to.
struct AfterAccumulation final : torch::autograd::FunctionPostHook {
  explicit AfterAccumulation(std::function<void()> what) : call(std::move(what)) {}
  variable_list operator()(const variable_list& outputs, const variable_list&) override {
    call();
    return outputs;
  }
  std::function<void()> call;
};

}  // namespace

GradientExchange::GradientExchange(Bert& model, const Peers& peers, const std::vector<GradientBucket>& buckets,
                                   bool whole)
    : model_(model), peers_(peers), buckets_(buckets), whole_(whole), missing_(buckets.size()) {
  gradients_ = at::zeros_like(model.values());
  buckets_of_.resize(model.parameters().size());
  for (std::size_t bucket = 0; bucket < buckets.size(); ++bucket) {
    for (const std::uint32_t tensor : buckets[bucket].tensors) buckets_of_[tensor].push_back(bucket);
  }
  for (std::size_t i = 0; i < model.parameters().size(); ++i) {
    at::Tensor& value = model.parameters()[i].value;
    value.mutable_grad() = gradients_.narrow(0, model.places().begins[i], value.numel()).view(value.sizes());
    const auto accumulator = torch::autograd::impl::grad_accumulator(value);
    hooks_.push_back(
        accumulator->add_post_hook(std::make_unique<AfterAccumulation>([this, i] { gradient_is_ready(i); })));
    accumulators_.push_back(accumulator);
  }
}

GradientExchange::~GradientExchange() {
  for (std::size_t i = 0; i < hooks_.size(); ++i) accumulators_[i]->del_post_hook(hooks_[i]);
  model_.clear_gradients();
}

void GradientExchange::begin() {
  const at::NoGradGuard no_gradients;
  gradients_.zero_();
  for (std::size_t i = 0; i < buckets_.size(); ++i) missing_[i] = buckets_[i].tensors.size();
  next_ = 0;
  last_pass_ = false;
}

void GradientExchange::expect_last_pass() {
  last_pass_ = true;
}

void GradientExchange::gradient_is_ready(std::size_t tensor) {
  if (!last_pass_) return;
  for (const std::size_t bucket : buckets_of_[tensor]) --missing_[bucket];
  send_complete_buckets();
}

void GradientExchange::send_complete_buckets() {
  for (; next_ < buckets_.size() && missing_[next_] == 0; ++next_) {
    const GradientBucket& bucket = buckets_[next_];
    if (peers_.devices != nullptr) {
      reduce_bucket(peers_, gradients_, bucket, whole_);
    } else {
      background_.post([this, &bucket] { reduce_bucket(peers_, gradients_, bucket, whole_); });
    }
  }
}

void GradientExchange::finish() {
  last_pass_ = false;
  // A parameter that had no part in the pass keeps the sums of the passes before.
  for (std::size_t i = next_; i < buckets_.size(); ++i) missing_[i] = 0;
  send_complete_buckets();
  if (peers_.devices != nullptr) {
    peers_.devices->join();
    peers_.devices->wait();
    return;
  }
  const auto start = std::chrono::steady_clock::now();
  background_.wait();
  waited_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace bertprep
