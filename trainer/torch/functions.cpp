#include "trainer/torch/functions.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <vector>

#include "trainer/counter_random.h"
#include "trainer/kernels.h"

namespace bertprep {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

constexpr std::int64_t kValuesAtOnce = 16384;

at::Tensor dropped(const at::Tensor& values, double p, std::uint64_t key, const DropoutRows& rows) {
  const at::Tensor in = values.contiguous();
  at::Tensor out = at::empty_like(in);
  const float* from = in.data_ptr<float>();
  float* to = out.data_ptr<float>();
  const std::int64_t width = in.numel() / rows.count;
  at::parallel_for(0, in.numel(), kValuesAtOnce, [&](std::int64_t begin, std::int64_t end) {
    while (begin < end) {
      const std::int64_t row = begin / width;
      const std::int64_t count = std::min(end, (row + 1) * width) - begin;
      const std::uint64_t row_key = key_of_row(key, rows.first + static_cast<std::uint64_t>(row));
      dropout_values(from + begin, to + begin, count, begin - row * width, p, row_key);
      begin += count;
    }
  });
  return out;
}

struct Dropout : torch::autograd::Function<Dropout> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& values, double p, std::int64_t key,
                            std::int64_t first_row, std::int64_t rows) {
    context->saved_data["p"] = p;
    context->saved_data["key"] = key;
    context->saved_data["first_row"] = first_row;
    context->saved_data["rows"] = rows;
    return dropped(values, p, static_cast<std::uint64_t>(key), {static_cast<std::uint64_t>(first_row), rows});
  }
  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const auto number = [&](const char* name) { return context->saved_data[name].toInt(); };
    const DropoutRows rows{static_cast<std::uint64_t>(number("first_row")), number("rows")};
    const double p = context->saved_data["p"].toDouble();
    return {dropped(gradients[0], p, static_cast<std::uint64_t>(number("key")), rows), {}, {}, {}, {}};
  }
};

// Turns the logits into their gradient in the forward pass; the backward pass passes it on.
struct LossInPlace : torch::autograd::Function<LossInPlace> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& logits, const at::Tensor& labels, double scale,
                            std::int64_t sums) {
    auto* const result = reinterpret_cast<RowSums*>(sums);
    // A separate tensor for the same memory: a saved input would keep the graph alive.
    at::Tensor gradient = logits.detach();
    *result = row_losses(gradient, {}, labels, scale, true);
    context->saved_data["gradient"] = gradient;
    return at::full({}, result->loss * scale, at::kFloat);
  }
  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    at::Tensor gradient = context->saved_data["gradient"].toTensor();
    context->saved_data.clear();
    const auto factor = gradients[0].item<float>();
    if (factor != 1.0F) gradient.mul_(factor);
    return {gradient, {}, {}, {}};
  }
};

LabelLoss generic_loss(const at::Tensor& logits, const at::Tensor& labels, double scale) {
  LabelLoss loss;
  loss.sum = at::cross_entropy_loss(logits, labels, {}, at::Reduction::Sum);
  loss.plain_sum = loss.sum.item<double>();
  loss.sum = loss.sum * scale;
  loss.correct = logits.detach().argmax(1).eq(labels).sum().item<std::int64_t>();
  return loss;
}

RowSums total(const std::vector<RowLoss>& rows, const std::int64_t* labels) {
  RowSums sums;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    sums.loss += rows[row].loss;
    if (rows[row].predicted == labels[row]) ++sums.correct;
  }
  return sums;
}

}  // namespace

void seed_dropout(const at::Device& device, std::uint64_t key, const DropoutRows& rows) {
  at::Generator generator = at::globalContext().defaultGenerator(device);
  generator.set_current_seed(key_of_row(key, rows.first));
}

at::Tensor dropout(const at::Tensor& values, double p, std::uint64_t key, const DropoutRows& rows) {
  if (p <= 0) return values;
  if (values.is_cpu()) {
    return Dropout::apply(values.to(at::kFloat), p, static_cast<std::int64_t>(key),
                          static_cast<std::int64_t>(rows.first), rows.count);
  }
  seed_dropout(values.device(), key, rows);
  return at::dropout(values, p, true);
}

LabelLoss label_loss(const at::Tensor& logits, const at::Tensor& labels, double scale) {
  at::Tensor values = logits.to(at::kFloat).contiguous();
  if (!values.is_cpu()) return generic_loss(values, labels, scale);
  LabelLoss loss;
  RowSums sums;
  if (at::GradMode::is_enabled()) {
    loss.sum = LossInPlace::apply(values, labels, scale, reinterpret_cast<std::int64_t>(&sums));
  } else {
    sums = row_losses(values, {}, labels, scale, false);
    loss.sum = at::full({}, sums.loss * scale, at::kFloat);
  }
  loss.plain_sum = sums.loss;
  loss.correct = sums.correct;
  return loss;
}

RowSums row_losses(at::Tensor& logits, const at::Tensor& bias, const at::Tensor& labels, double scale,
                   bool with_gradient) {
  std::vector<RowLoss> rows(static_cast<std::size_t>(logits.size(0)));
  const std::int64_t classes = logits.size(1);
  float* const values = logits.data_ptr<float>();
  const float* const added = bias.defined() ? bias.data_ptr<float>() : nullptr;
  const std::int64_t* const label = labels.data_ptr<std::int64_t>();
  at::parallel_for(0, logits.size(0), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      float* const logit = values + row * classes;
      if (added != nullptr) add_values(logit, added, classes);
      rows[static_cast<std::size_t>(row)] =
          with_gradient ? softmax_loss_row(logit, classes, label[row], static_cast<float>(scale))
                        : softmax_loss_row_only(logit, classes, label[row]);
    }
  });
  return total(rows, label);
}

}  // namespace bertprep
