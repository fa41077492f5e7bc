#include "trainer/torch/update_lists.h"

#include <algorithm>

namespace bertprep {
namespace {

using Tensors = std::vector<at::Tensor>;

// A list needs memory for this many additional values.
constexpr std::int64_t kListValues = std::int64_t{1} << 26;

std::vector<at::Scalar> scalars_of(const std::vector<double>& numbers, const std::vector<std::size_t>& runs) {
  std::vector<at::Scalar> scalars;
  for (const std::size_t run : runs) scalars.emplace_back(numbers[run]);
  return scalars;
}

at::Tensor norms_of(const Tensors& tensors) {
  return at::stack(at::_foreach_norm(tensors, at::Scalar(2)));
}

// Fetches the norms of all lists at once, and squares them.
std::vector<double> fetch_squares(const Tensors& norms) {
  if (norms.empty()) return {};
  const at::Tensor squares = at::cat(norms).to(at::kCPU, at::kDouble).square_().contiguous();
  return {squares.data_ptr<double>(), squares.data_ptr<double>() + squares.numel()};
}

// Updates the moments and returns the divisors sqrt(v c2) + eps.
Tensors advance_moments(const Tensors& grad, Tensors& m, Tensors& v, const MomentStep& step) {
  at::_foreach_mul_(m, at::Scalar(step.beta1));
  at::_foreach_add_(m, grad, at::Scalar(step.share1));
  at::_foreach_mul_(v, at::Scalar(step.beta2));
  at::_foreach_addcmul_(v, grad, grad, at::Scalar(step.share2));
  Tensors divisors = at::_foreach_mul(v, at::Scalar(step.correction2));
  at::_foreach_sqrt_(divisors);
  at::_foreach_add_(divisors, at::Scalar(step.epsilon));
  return divisors;
}

// direction = factor x values / divisors + decay x w
void make_direction(Tensors& direction, const Tensors& values, const Tensors& divisors, double factor, const Tensors& w,
                    double decay) {
  at::_foreach_zero_(direction);
  at::_foreach_addcdiv_(direction, values, divisors, at::Scalar(factor));
  if (decay != 0) at::_foreach_add_(direction, w, at::Scalar(decay));
}

void subtract_scaled_lists(Tensors& w, Tensors& direction, const std::vector<at::Scalar>& rates) {
  at::_foreach_mul_(direction, rates);
  at::_foreach_sub_(w, direction);
}

}  // namespace

UpdateLists::UpdateLists(const std::vector<ListedRun>& runs) : runs_(runs.size()) {
  for (const bool decays : {true, false}) {
    std::int64_t values = kListValues;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const ListedRun& run = runs[i];
      if (run.decays != decays) continue;
      if (values + run.w.numel() > kListValues) {
        lists_.push_back({.decays = decays, .runs = {}, .w = {}, .m = {}, .v = {}, .second = {}, .grad = {}});
        values = 0;
      }
      values += run.w.numel();
      List& list = lists_.back();
      list.runs.push_back(i);
      list.w.push_back(run.w);
      list.m.push_back(run.m);
      list.v.push_back(run.v);
      if (run.second.defined()) list.second.push_back(run.second);
    }
  }
}

void UpdateLists::set_gradients(const std::vector<at::Tensor>& gradients) {
  for (List& list : lists_) {
    list.grad.clear();
    for (const std::size_t run : list.runs) list.grad.push_back(gradients[run]);
  }
}

void UpdateLists::drop_gradients() {
  for (List& list : lists_) list.grad.clear();
}

std::vector<double> UpdateLists::gradient_squares() const {
  Tensors norms;
  for (const List& list : lists_) norms.push_back(norms_of(list.grad));
  const std::vector<double> fetched = fetch_squares(norms);
  std::vector<double> squares(runs_);
  std::size_t next = 0;
  for (const List& list : lists_) {
    for (const std::size_t run : list.runs) squares[run] = fetched[next++];
  }
  return squares;
}

std::vector<UpdateNorms> UpdateLists::make_lamb_directions(const MomentSteps& steps) {
  Tensors norms;
  for (List& list : lists_) {
    const MomentStep& step = list.of(steps);
    at::_foreach_mul_(list.grad, at::Scalar(step.grad_scale));
    const Tensors divisors = advance_moments(list.grad, list.m, list.v, step);
    make_direction(list.grad, list.m, divisors, step.correction1, list.w, step.decay);
    norms.insert(norms.end(), {norms_of(list.grad), norms_of(list.w)});
  }
  const std::vector<double> fetched = fetch_squares(norms);
  std::vector<UpdateNorms> result(runs_);
  const double* next = fetched.data();
  for (const List& list : lists_) {
    const std::size_t count = list.runs.size();
    for (std::size_t i = 0; i < count; ++i) result[list.runs[i]] = {next[i], 0, next[count + i]};
    next += 2 * count;
  }
  return result;
}

std::vector<UpdateNorms> UpdateLists::make_lans_directions(const MomentSteps& steps,
                                                           const std::vector<double>& scales) {
  Tensors norms;
  for (List& list : lists_) {
    const MomentStep& step = list.of(steps);
    at::_foreach_mul_(list.grad, scalars_of(scales, list.runs));
    const Tensors divisors = advance_moments(list.grad, list.m, list.v, step);
    make_direction(list.second, list.grad, divisors, 1, list.w, step.decay);
    make_direction(list.grad, list.m, divisors, step.correction1, list.w, step.decay);
    norms.insert(norms.end(), {norms_of(list.grad), norms_of(list.second), norms_of(list.w)});
  }
  const std::vector<double> fetched = fetch_squares(norms);
  std::vector<UpdateNorms> result(runs_);
  const double* next = fetched.data();
  for (const List& list : lists_) {
    const std::size_t count = list.runs.size();
    for (std::size_t i = 0; i < count; ++i) result[list.runs[i]] = {next[i], next[count + i], next[2 * count + i]};
    next += 3 * count;
  }
  return result;
}

void UpdateLists::subtract(const std::vector<double>& rates) {
  for (List& list : lists_) subtract_scaled_lists(list.w, list.grad, scalars_of(rates, list.runs));
}

void UpdateLists::subtract_second(const std::vector<double>& rates) {
  for (List& list : lists_) subtract_scaled_lists(list.w, list.second, scalars_of(rates, list.runs));
}

void UpdateLists::do_adamw_steps(const MomentSteps& steps, double learning_rate) {
  for (List& list : lists_) {
    const MomentStep& step = list.of(steps);
    at::_foreach_mul_(list.grad, at::Scalar(step.grad_scale));
    const Tensors divisors = advance_moments(list.grad, list.m, list.v, step);
    at::_foreach_mul_(list.w, at::Scalar(1 - learning_rate * step.decay));
    at::_foreach_addcdiv_(list.w, list.m, divisors, at::Scalar(-learning_rate * step.correction1));
  }
}

}  // namespace bertprep
