#include "trainer/torch/optimizer.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "trainer/torch/tensor_math.h"

namespace bertprep {
namespace {

UpdatePlan lone_plan(const OptimizerOptions& options, const std::vector<Parameter>& parameters) {
  std::vector<std::uint32_t> order(parameters.size());
  std::iota(order.begin(), order.end(), 0U);
  return {.runs = update_runs(options, parameters, 1), .places = flat_places(sizes_of(parameters), order)};
}

void add(UpdateNorms& sum, const UpdateNorms& norms) {
  sum.update += norms.update;
  sum.update2 += norms.update2;
  sum.weight += norms.weight;
}

// The root of weight / direction, or 1 if that is not a number.
double trust_ratio(double weight, double direction) {
  return direction > 0 && weight > 0 ? std::sqrt(weight / direction) : 1;
}

}  // namespace

std::vector<UpdateRun> update_runs(const OptimizerOptions& options, const std::vector<Parameter>& parameters,
                                   std::size_t processes) {
  if (parameters.empty()) return {};
  const std::int64_t most = run_values(parameters.front().value.device(), processes);
  const std::vector<TensorSize> sizes = sizes_of(parameters);
  return options.norms == NormScope::kTensor ? runs_by_tensor(sizes, most)
                                             : runs_by_partition(sizes, static_cast<std::int64_t>(processes), most);
}

Optimizer::Optimizer(const OptimizerOptions& options, const std::vector<Parameter>& parameters)
    : Optimizer(options, parameters, lone_plan(options, parameters)) {}

Optimizer::Optimizer(const OptimizerOptions& options, const std::vector<Parameter>& parameters, UpdatePlan plan)
    : options_(options),
      parameters_(parameters),
      plan_(std::move(plan)),
      squares_(plan_.runs.size()),
      norms_(plan_.runs.size()),
      group_squares_(norm_groups(plan_.runs)),
      group_norms_(norm_groups(plan_.runs)) {
  make_spans();
  make_moments();
  make_waves();
  if (is_listed()) make_lists();
}

bool Optimizer::is_listed() const {
  return plan_.as_on_devices || (!parameters_.empty() && !parameters_.front().value.is_cpu());
}

void Optimizer::make_spans() {
  const auto is_own = [&](std::size_t run) {
    return !is_shared() || plan_.buckets->run_owners[run] == plan_.peers.processes->rank();
  };
  for (std::size_t i = 0; i < plan_.runs.size(); ++i) {
    if (!is_own(i)) continue;
    const UpdateRun& run = plan_.runs[i];
    const bool goes_on = !is_listed() && !spans_.empty() && spans_.back().first_run + spans_.back().runs == i &&
                         spans_.back().tensor == run.tensor && spans_.back().norm_group == run.norm_group;
    if (!goes_on) {
      spans_.push_back({.tensor = run.tensor,
                        .begin = run.begin,
                        .first_run = i,
                        .norm_group = run.norm_group,
                        .decays = parameters_[run.tensor].decays});
    }
    spans_.back().count += run.count;
    ++spans_.back().runs;
  }
}

void Optimizer::make_moments() {
  std::int64_t own = 0;
  for (const Span& span : spans_) own += span.count;
  const std::int64_t values = is_shared() ? own : plan_.places.values;
  const at::TensorOptions like =
      parameters_.empty() ? at::TensorOptions() : parameters_.front().value.detach().options();
  m_ = at::zeros({values}, like);
  v_ = at::zeros({values}, like);
  if (options_.optimizer == OptimizerKind::kLans) second_ = at::empty({values}, like);
  std::int64_t next = 0;
  for (Span& span : spans_) {
    const std::int64_t begin = is_shared() ? next : plan_.places.begins[span.tensor] + span.begin;
    next += span.count;
    span.w = parameters_[span.tensor].value.detach().view({-1}).narrow(0, span.begin, span.count);
    span.m = m_.narrow(0, begin, span.count);
    span.v = v_.narrow(0, begin, span.count);
    if (second_.defined()) span.second = second_.narrow(0, begin, span.count);
  }
}

void Optimizer::make_waves() {
  if (is_shared() || is_listed() || options_.norms != NormScope::kTensor) {
    waves_.push_back({0, spans_.size(), 0, plan_.runs.size()});
    return;
  }
  // Tensor by tensor, so that recently read values are still in the cache.
  for (std::size_t i = 0; i < spans_.size(); ++i) {
    waves_.push_back({i, i + 1, spans_[i].first_run, spans_[i].first_run + spans_[i].runs});
  }
}

void Optimizer::make_lists() {
  std::vector<ListedRun> runs;
  for (const Span& span : spans_) {
    runs.push_back({span.w, span.m, span.v, span.second, span.decays});
  }
  lists_.emplace(runs);
}

double Optimizer::gradient_norm() {
  std::vector<at::Tensor> gradients;
  for (const Parameter& parameter : parameters_) {
    if (plan_.gradient) break;
    const at::Tensor grad = parameter.value.grad();
    gradients.push_back((grad.defined() ? grad.contiguous() : at::zeros_like(parameter.value.detach())).view({-1}));
  }
  std::fill(squares_.begin(), squares_.end(), 0);
  for (Span& span : spans_) {
    span.grad = plan_.gradient ? plan_.gradient(span.tensor, span.begin, span.count)
                               : gradients[span.tensor].narrow(0, span.begin, span.count);
    if (!lists_) squares(span.grad, std::span(squares_).subspan(span.first_run, span.runs));
  }
  if (lists_) list_gradients();
  // Each run's value comes from one process; the others have 0.
  if (is_shared()) plan_.peers.processes->sum(squares_);
  std::fill(group_squares_.begin(), group_squares_.end(), 0);
  for (std::size_t i = 0; i < squares_.size(); ++i) group_squares_[plan_.runs[i].norm_group] += squares_[i];
  gradient_norm_ = std::sqrt(std::accumulate(group_squares_.begin(), group_squares_.end(), 0.0));
  return gradient_norm_;
}

void Optimizer::list_gradients() {
  std::vector<at::Tensor> gradients;
  for (const Span& span : spans_) gradients.push_back(span.grad);
  lists_->set_gradients(gradients);
  const std::vector<double> squares = lists_->gradient_squares();
  for (std::size_t i = 0; i < spans_.size(); ++i) squares_[spans_[i].first_run] = squares[i];
}

void Optimizer::step(double learning_rate) {
  const at::NoGradGuard no_gradients;
  ++steps_;
  if (options_.optimizer == OptimizerKind::kAdamw) {
    adamw_steps(learning_rate);
  } else {
    for (const Wave& wave : waves_) {
      options_.optimizer == OptimizerKind::kLans ? lans_step(wave, learning_rate) : lamb_step(wave, learning_rate);
    }
  }
  for (Span& span : spans_) span.grad.reset();
  if (lists_) lists_->drop_gradients();
  if (is_shared()) gather_buckets(plan_.peers, plan_.values, plan_.buckets->buckets);
}

void Optimizer::share_norms() {
  std::vector<double> sums;
  for (const UpdateNorms& norms : norms_) sums.insert(sums.end(), {norms.update, norms.update2, norms.weight});
  plan_.peers.processes->sum(sums);
  for (std::size_t i = 0; i < norms_.size(); ++i) norms_[i] = {sums[3 * i], sums[3 * i + 1], sums[3 * i + 2]};
}

void Optimizer::add_up_norms(const Wave& wave) {
  if (is_shared()) share_norms();
  for (std::size_t i = wave.first_run; i < wave.last_run; ++i) group_norms_[plan_.runs[i].norm_group] = {};
  for (std::size_t i = wave.first_run; i < wave.last_run; ++i) add(group_norms_[plan_.runs[i].norm_group], norms_[i]);
}

double Optimizer::clip_factor() const {
  if (options_.max_grad_norm == 0) return 1;
  // DeepSpeed and PyTorch add an epsilon to the norm; optimizers with their own clipping don't.
  const bool as_in_torch = options_.norms == NormScope::kPartition || options_.optimizer == OptimizerKind::kAdamw;
  const double norm = as_in_torch ? gradient_norm_ + 1e-6 : gradient_norm_;
  return norm > options_.max_grad_norm ? options_.max_grad_norm / norm : 1;
}

MomentStep Optimizer::moment_step(bool decays) const {
  const auto steps =
      static_cast<double>(options_.norms == NormScope::kPartition && options_.optimizer != OptimizerKind::kAdamw
                              ? std::max<std::int64_t>(1, steps_ - 1)
                              : steps_);
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

void Optimizer::clear_norms(const Wave& wave) {
  std::fill(norms_.begin() + static_cast<std::ptrdiff_t>(wave.first_run),
            norms_.begin() + static_cast<std::ptrdiff_t>(wave.last_run), UpdateNorms{});
}

void Optimizer::set_norms(const std::vector<UpdateNorms>& of_spans) {
  for (std::size_t i = 0; i < spans_.size(); ++i) norms_[spans_[i].first_run] = of_spans[i];
}

template <class Number>
std::vector<double> Optimizer::of_spans(Number number) const {
  std::vector<double> numbers;
  for (const Span& span : spans_) numbers.push_back(number(span));
  return numbers;
}

double Optimizer::lamb_rate(const Span& span, double learning_rate) const {
  const UpdateNorms& norms = group_norms_[span.norm_group];
  const bool trusts = span.decays && options_.weight_decay != 0;
  return learning_rate * (trusts ? trust_ratio(norms.weight, norms.update) : 1);
}

void Optimizer::lamb_step(const Wave& wave, double learning_rate) {
  clear_norms(wave);
  if (lists_) {
    set_norms(lists_->make_lamb_directions(moment_steps()));
    add_up_norms(wave);
    lists_->subtract(of_spans([&](const Span& s) { return lamb_rate(s, learning_rate); }));
    return;
  }
  for (std::size_t i = wave.first; i < wave.last; ++i) {
    Span& s = spans_[i];
    make_lamb_direction(s.grad, s.m, s.v, s.w, moment_step(s.decays), norms_of(s));
  }
  add_up_norms(wave);
  for (std::size_t i = wave.first; i < wave.last; ++i) {
    Span& s = spans_[i];
    subtract(s.w, s.grad, lamb_rate(s, learning_rate));
  }
}

float Optimizer::lans_scale(const Span& span, float grad_scale) const {
  const double norm = std::sqrt(group_squares_[span.norm_group]) * static_cast<double>(grad_scale);
  return norm > 0 ? static_cast<float>(grad_scale / (norm + options_.epsilon)) : grad_scale;
}

double Optimizer::lans_rate(const Span& span, double learning_rate) const {
  const UpdateNorms& norms = group_norms_[span.norm_group];
  return learning_rate * options_.beta1 * trust_ratio(norms.weight, norms.update);
}

double Optimizer::lans_second_rate(const Span& span, double learning_rate) const {
  const UpdateNorms& norms = group_norms_[span.norm_group];
  return learning_rate * (1 - options_.beta1) * trust_ratio(norms.weight, norms.update2);
}

void Optimizer::lans_step(const Wave& wave, double learning_rate) {
  clear_norms(wave);
  if (lists_) {
    const MomentSteps steps = moment_steps();
    const auto scale = [&](const Span& s) { return lans_scale(s, steps.other.grad_scale); };
    set_norms(lists_->make_lans_directions(steps, of_spans(scale)));
    add_up_norms(wave);
    lists_->subtract(of_spans([&](const Span& s) { return lans_rate(s, learning_rate); }));
    lists_->subtract_second(of_spans([&](const Span& s) { return lans_second_rate(s, learning_rate); }));
    return;
  }
  for (std::size_t i = wave.first; i < wave.last; ++i) {
    Span& s = spans_[i];
    MomentStep step = moment_step(s.decays);
    step.grad_scale = lans_scale(s, step.grad_scale);
    make_lans_direction(s.grad, s.m, s.v, s.w, s.second, step, norms_of(s));
  }
  add_up_norms(wave);
  for (std::size_t i = wave.first; i < wave.last; ++i) {
    Span& s = spans_[i];
    subtract(s.w, s.grad, lans_rate(s, learning_rate));
    subtract(s.w, s.second, lans_second_rate(s, learning_rate));
  }
}

void Optimizer::adamw_steps(double learning_rate) {
  if (lists_) {
    lists_->do_adamw_steps(moment_steps(), learning_rate);
    return;
  }
  for (Span& s : spans_) do_adamw_step(s.w, s.grad, s.m, s.v, moment_step(s.decays), learning_rate);
}

Moments Optimizer::moments() {
  if (!is_shared()) return {m_, v_, steps_};
  Moments all{at::zeros_like(plan_.values), at::zeros_like(plan_.values), steps_};
  for (const Span& span : spans_) {
    const std::int64_t begin = plan_.places.begins[span.tensor] + span.begin;
    all.m.narrow(0, begin, span.count).copy_(span.m);
    all.v.narrow(0, begin, span.count).copy_(span.v);
  }
  gather_buckets(plan_.peers, all.m, plan_.buckets->buckets);
  gather_buckets(plan_.peers, all.v, plan_.buckets->buckets);
  if (plan_.peers.devices != nullptr) plan_.peers.devices->wait();
  return all;
}

void Optimizer::set_moments(const Moments& moments) {
  steps_ = moments.steps;
  for (Span& span : spans_) {
    const std::int64_t begin = plan_.places.begins[span.tensor] + span.begin;
    span.m.copy_(moments.m.narrow(0, begin, span.count));
    span.v.copy_(moments.v.narrow(0, begin, span.count));
  }
}

}  // namespace bertprep
