#include "trainer/torch/optimizer.h"

#include <algorithm>
#include <cmath>

#include "trainer/torch/tensor_math.h"

namespace bertprep {

Optimizer::Optimizer(const OptimizerOptions& options, const std::vector<Parameter>& parameters) : options_(options) {
  for (const Parameter& parameter : parameters) {
    const at::Tensor value = parameter.value.detach();
    tensors_.push_back({parameter.value, {}, parameter.decays});
    state_.push_back({at::zeros_like(value), at::zeros_like(value)});
    if (options.optimizer == "lans") second_.push_back(at::empty_like(value));
  }
}

double Optimizer::gradient_norm() {
  double sum = 0;
  for (Tensors& tensor : tensors_) {
    const at::Tensor grad = tensor.w.grad();
    tensor.grad = grad.defined() ? grad.contiguous() : at::zeros_like(tensor.w.detach());
    tensor.grad_squares = squares(tensor.grad);
    sum += tensor.grad_squares;
  }
  gradient_norm_ = std::sqrt(sum);
  return gradient_norm_;
}

void Optimizer::step(double learning_rate) {
  const at::NoGradGuard no_gradients;
  ++steps_;
  if (options_.optimizer == "adamw") {
    adamw_steps(learning_rate);
  } else {
    for (const auto& group : norm_groups()) {
      options_.optimizer == "lans" ? lans_step(group, learning_rate) : lamb_step(group, learning_rate);
    }
  }
  for (Tensors& tensor : tensors_) tensor.grad.reset();
}

std::vector<std::vector<std::size_t>> Optimizer::norm_groups() const {
  std::vector<std::vector<std::size_t>> groups;
  if (options_.norms == "tensor") {
    for (std::size_t i = 0; i < tensors_.size(); ++i) groups.push_back({i});
    return groups;
  }
  groups.resize(2);
  for (std::size_t i = 0; i < tensors_.size(); ++i) groups[tensors_[i].decays ? 0 : 1].push_back(i);
  return groups;
}

double Optimizer::clip_factor() const {
  if (options_.max_grad_norm == 0) return 1;
  // DeepSpeed and PyTorch add a little to the norm, the optimizers with clipping of their own don't.
  const bool as_in_torch = options_.norms == "partition" || options_.optimizer == "adamw";
  const double norm = as_in_torch ? gradient_norm_ + 1e-6 : gradient_norm_;
  return norm > options_.max_grad_norm ? options_.max_grad_norm / norm : 1;
}

MomentStep Optimizer::moment_step(bool decays) const {
  const auto steps = static_cast<double>(
      options_.norms == "partition" && options_.optimizer != "adamw" ? std::max<std::int64_t>(1, steps_ - 1) : steps_);
  MomentStep step;
  step.grad_scale = static_cast<float>(clip_factor());
  step.beta1 = static_cast<float>(options_.beta1);
  step.beta2 = static_cast<float>(options_.beta2);
  step.share1 = static_cast<float>(1 - options_.beta1);
  step.share2 = static_cast<float>(1 - options_.beta2);
  step.correction1 = static_cast<float>(1 / (1 - std::pow(options_.beta1, steps)));
  step.correction2 = static_cast<float>(1 / (1 - std::pow(options_.beta2, steps)));
  step.epsilon = static_cast<float>(options_.epsilon);
  step.decay = decays ? static_cast<float>(options_.weight_decay) : 0;
  return step;
}

void Optimizer::lamb_step(const std::vector<std::size_t>& group, double learning_rate) {
  UpdateNorms norms;
  for (const std::size_t i : group) {
    const MomentStep step = moment_step(tensors_[i].decays);
    const UpdateNorms own = make_lamb_direction(tensors_[i].grad, state_[i].m, state_[i].v, tensors_[i].w, step);
    norms.update += own.update;
    norms.weight += own.weight;
  }
  const bool trusts = tensors_[group.front()].decays && options_.weight_decay != 0;
  const double ratio = trusts && norms.update > 0 && norms.weight > 0 ? std::sqrt(norms.weight / norms.update) : 1;
  for (const std::size_t i : group) subtract(tensors_[i].w, tensors_[i].grad, learning_rate * ratio);
}

void Optimizer::lans_step(const std::vector<std::size_t>& group, double learning_rate) {
  double grad_squares = 0;
  for (const std::size_t i : group) grad_squares += tensors_[i].grad_squares;
  UpdateNorms norms;
  for (const std::size_t i : group) {
    MomentStep step = moment_step(tensors_[i].decays);
    const double norm = std::sqrt(grad_squares) * static_cast<double>(step.grad_scale);
    if (norm > 0) step.grad_scale = static_cast<float>(step.grad_scale / (norm + options_.epsilon));
    const UpdateNorms own =
        make_lans_direction(tensors_[i].grad, state_[i].m, state_[i].v, tensors_[i].w, second_[i], step);
    norms.update += own.update;
    norms.update2 += own.update2;
    norms.weight += own.weight;
  }
  const auto ratio = [&](double direction) {
    return direction > 0 && norms.weight > 0 ? std::sqrt(norms.weight / direction) : 1;
  };
  for (const std::size_t i : group) {
    subtract(tensors_[i].w, tensors_[i].grad, learning_rate * options_.beta1 * ratio(norms.update));
    subtract(tensors_[i].w, second_[i], learning_rate * (1 - options_.beta1) * ratio(norms.update2));
  }
}

void Optimizer::adamw_steps(double learning_rate) {
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    Tensors& tensor = tensors_[i];
    do_adamw_step(tensor.w, tensor.grad, state_[i].m, state_[i].v, moment_step(tensor.decays), learning_rate);
  }
}

}  // namespace bertprep
