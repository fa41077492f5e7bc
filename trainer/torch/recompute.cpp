#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

#include <memory>

#include "trainer/torch/model.h"

namespace bertprep {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

struct LayerSpan : torch::CustomClassHolder {
  const Model* model = nullptr;
  std::int64_t first = 0;
  std::int64_t last = 0;
  ModelPass pass;
};

tensor_list run(const LayerSpan& span, const at::Tensor& hidden, const at::Tensor& residual, const at::Tensor& mask) {
  const Model::PassContext context{mask, span.pass, nullptr};
  const Model::Stream out = span.model->layers({hidden, residual}, span.first, span.last, context);
  tensor_list values{out.hidden};
  if (out.residual.defined()) values.push_back(out.residual);
  return values;
}

struct Recompute : torch::autograd::Function<Recompute> {
  static tensor_list forward(AutogradContext* context, const at::Tensor& hidden, const at::Tensor& residual,
                             const at::Tensor& mask, const std::shared_ptr<LayerSpan>& span) {
    context->save_for_backward({hidden, residual, mask});
    context->saved_data["span"] = c10::IValue::make_capsule(c10::make_intrusive<LayerSpan>(*span));
    return run(*span, hidden, residual, mask);
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const tensor_list saved = context->get_saved_variables();
    const auto holder = context->saved_data["span"].toCapsule();
    const auto& span = static_cast<const LayerSpan&>(*holder);
    const at::AutoGradMode with_gradients(true);
    at::Tensor hidden = saved[0].detach().set_requires_grad(true);
    at::Tensor residual;
    if (saved[1].numel() > 0) residual = saved[1].detach().set_requires_grad(true);
    const tensor_list out = run(span, hidden, residual, saved[2]);
    tensor_list roots;
    tensor_list root_gradients;
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (!gradients[i].defined()) continue;
      roots.push_back(out[i]);
      root_gradients.push_back(gradients[i]);
    }
    torch::autograd::backward(roots, root_gradients);
    return {hidden.grad(), residual.defined() ? residual.grad() : at::Tensor(), {}, {}};
  }
};

}  // namespace

Model::Stream recomputed_layers(const Model& model, const Model::Stream& stream, std::int64_t first, std::int64_t last,
                                const Model::PassContext& context) {
  auto span = std::make_shared<LayerSpan>();
  span->model = &model;
  span->first = first;
  span->last = last;
  span->pass = context.pass;
  // autograd does not accept undefined tensors.
  const at::Tensor residual = stream.residual.defined() ? stream.residual : at::empty({0}, stream.hidden.options());
  const tensor_list out = Recompute::apply(stream.hidden, residual, context.mask, span);
  return {out[0], out.size() > 1 ? out[1] : at::Tensor()};
}

}  // namespace bertprep
