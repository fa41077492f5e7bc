#include "trainer/torch/functions.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "trainer/counter_random.h"
#include "trainer/kernels.h"

namespace bertprep {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

// With causal attention, this many tokens at a time attend to all tokens up to the last of them: this saves half of all
// products, and the attention weights stay in the cache.
constexpr std::int64_t kCausalTokens = 128;

// Values of all tokens, `stride` from one to the next.
struct Part {
  float* values = nullptr;
  std::int64_t stride = 0;
};

Part part_of(const at::Tensor& tensor, std::int64_t first = 0) {
  return {tensor.data_ptr<float>() + first, tensor.size(1)};
}

struct Parts {
  Part query, key, value;
};

Parts parts_of(const tensor_list& tensors) {
  if (tensors.size() == 3) return {part_of(tensors[0]), part_of(tensors[1]), part_of(tensors[2])};
  const std::int64_t hidden = tensors[0].size(1) / 3;
  return {part_of(tensors[0]), part_of(tensors[0], hidden), part_of(tensors[0], 2 * hidden)};
}

// The heads of all rows, one after the other, in ATen's threads.
class Heads {
 public:
  Heads(const Blas& blas, const Parts& in, std::int64_t hidden, const at::Tensor& mask, const AttentionSetup& setup)
      : blas_(blas),
        setup_(setup),
        in_(in),
        mask_(mask.data_ptr<float>()),
        rows_(mask.size(0)),
        tokens_(mask.size(3)),
        width_(hidden / setup.heads),
        span_tokens_(setup.is_causal ? std::min(kCausalTokens, tokens_) : tokens_),
        scale_(static_cast<float>(1 / (std::sqrt(static_cast<double>(width_)) * setup.divisor))) {}

  void mix(const Part& mixed) const {
    at::parallel_for(0, rows_ * setup_.heads, 1, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> shares(square());
      for (std::int64_t i = begin; i < end; ++i) {
        const Head head = head_of(i);
        for (std::int64_t first = 0; first < tokens_; first += span_tokens_) {
          const Span span = span_at(first);
          make_shares(head, span, shares.data());
          drop(head, span, shares.data(), shares.data());
          blas_.multiply({span.count, width_, span.seen}, {shares.data(), span.seen}, matrix(in_.value, head),
                         at(mixed, head, span.first), mixed.stride);
        }
      }
    });
  }

  void gradients(const Part& of_mixed, const Parts& out) const {
    at::parallel_for(0, rows_ * setup_.heads, 1, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> shares(square());
      std::vector<float> scratch(square());
      for (std::int64_t i = begin; i < end; ++i) {
        const Head head = head_of(i);
        // The last span attends to all tokens, so it initializes the sums to which the others add.
        for (std::int64_t first = (tokens_ - 1) / span_tokens_ * span_tokens_; first >= 0; first -= span_tokens_) {
          add_gradients(head, span_at(first), of_mixed, out, shares.data(), scratch.data());
        }
      }
    });
  }

 private:
  struct Head {
    std::int64_t row = 0, number = 0;
  };
  // Tokens [first, first + count), which attend to the tokens before `seen`.
  struct Span {
    std::int64_t first = 0, count = 0, seen = 0;
  };
  Head head_of(std::int64_t number) const { return {number / setup_.heads, number % setup_.heads}; }
  Span span_at(std::int64_t first) const {
    const std::int64_t count = std::min(span_tokens_, tokens_ - first);
    return {first, count, setup_.is_causal ? first + count : tokens_};
  }
  std::size_t square() const { return static_cast<std::size_t>(span_tokens_ * tokens_); }
  float* at(const Part& part, const Head& head, std::int64_t token) const {
    return part.values + (head.row * tokens_ + token) * part.stride + head.number * width_;
  }
  MatrixPart matrix(const Part& part, const Head& head, std::int64_t token = 0, bool is_transposed = false) const {
    return {at(part, head, token), part.stride, is_transposed};
  }

  void make_shares(const Head& head, const Span& span, float* shares) const {
    blas_.multiply({span.count, span.seen, width_}, matrix(in_.query, head, span.first), matrix(in_.key, head, 0, true),
                   shares, span.seen, scale_);
    for (std::int64_t i = 0; i < span.count; ++i) {
      float* const row = shares + i * span.seen;
      const std::int64_t seen = setup_.is_causal ? span.first + i + 1 : span.seen;
      softmax_row(row, mask_ + head.row * tokens_, seen);
      std::fill(row + seen, row + span.seen, 0.0F);
    }
  }
  void drop(const Head& head, const Span& span, const float* from, float* to) const {
    const std::uint64_t key = key_of_row(setup_.dropout_key, setup_.rows.first + static_cast<std::uint64_t>(head.row));
    if (setup_.dropout <= 0) {
      if (from != to) std::copy_n(from, span.count * span.seen, to);
      return;
    }
    // The same choice for any size of spans.
    for (std::int64_t i = 0; i < span.count; ++i) {
      dropout_values(from + i * span.seen, to + i * span.seen, span.seen,
                     (head.number * tokens_ + span.first + i) * tokens_, setup_.dropout, key);
    }
  }
  void add_gradients(const Head& head, const Span& span, const Part& of_mixed, const Parts& out, float* shares,
                     float* scratch) const {
    const bool adds = span.seen < tokens_;
    make_shares(head, span, shares);
    drop(head, span, shares, scratch);
    const MatrixPart mixed = matrix(of_mixed, head, span.first);
    blas_.multiply({span.seen, width_, span.count}, {scratch, span.seen, true}, mixed, at(out.value, head, 0),
                   out.value.stride, 1, adds);
    blas_.multiply({span.count, span.seen, width_}, mixed, matrix(in_.value, head, 0, true), scratch, span.seen);
    drop(head, span, scratch, scratch);
    for (std::int64_t i = 0; i < span.count; ++i) {
      softmax_gradient_row(scratch + i * span.seen, shares + i * span.seen, span.seen);
    }
    blas_.multiply({span.count, width_, span.seen}, {scratch, span.seen}, matrix(in_.key, head),
                   at(out.query, head, span.first), out.query.stride, scale_);
    blas_.multiply({span.seen, width_, span.count}, {scratch, span.seen, true}, matrix(in_.query, head, span.first),
                   at(out.key, head, 0), out.key.stride, scale_, adds);
  }

  const Blas& blas_;
  const AttentionSetup& setup_;
  Parts in_;
  const float* mask_;
  std::int64_t rows_, tokens_, width_;
  std::int64_t span_tokens_;
  float scale_;
};

struct SetupHolder : torch::CustomClassHolder {
  const Blas* blas = nullptr;
  AttentionSetup setup;
};

// For query, key and value, or one tensor with them side by side.
at::Tensor mixed_values(AutogradContext* context, tensor_list inputs, const at::Tensor& mask,
                        const c10::intrusive_ptr<SetupHolder>& holder) {
  tensor_list saved = inputs;
  saved.push_back(mask);
  context->save_for_backward(saved);
  context->saved_data["setup"] = c10::IValue::make_capsule(holder);
  const std::int64_t hidden = inputs[0].size(1) / (inputs.size() == 1 ? 3 : 1);
  at::Tensor mixed = at::empty({inputs[0].size(0), hidden}, at::kFloat);
  Heads(*holder->blas, parts_of(inputs), hidden, mask, holder->setup).mix(part_of(mixed));
  return mixed;
}

tensor_list input_gradients(AutogradContext* context, const tensor_list& gradients) {
  tensor_list inputs = context->get_saved_variables();
  const at::Tensor mask = inputs.back();
  inputs.pop_back();
  const auto holder = context->saved_data["setup"].toCapsule();
  const auto& setup = static_cast<const SetupHolder&>(*holder);
  const at::Tensor of_mixed = gradients[0].contiguous();
  tensor_list out;
  for (const at::Tensor& input : inputs) out.push_back(at::empty_like(input));
  Heads(*setup.blas, parts_of(inputs), of_mixed.size(1), mask, setup.setup).gradients(part_of(of_mixed), parts_of(out));
  out.resize(out.size() + 2);
  return out;
}

struct Attention : torch::autograd::Function<Attention> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& query, const at::Tensor& key,
                            const at::Tensor& value, const at::Tensor& mask,
                            const c10::intrusive_ptr<SetupHolder>& holder) {
    return mixed_values(context, {query, key, value}, mask, holder);
  }
  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    return input_gradients(context, gradients);
  }
};

struct JointAttention : torch::autograd::Function<JointAttention> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& all, const at::Tensor& mask,
                            const c10::intrusive_ptr<SetupHolder>& holder) {
    return mixed_values(context, {all}, mask, holder);
  }
  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    return input_gradients(context, gradients);
  }
};

c10::intrusive_ptr<SetupHolder> held(const Blas& blas, const AttentionSetup& setup) {
  auto holder = c10::make_intrusive<SetupHolder>();
  holder->blas = &blas;
  holder->setup = setup;
  return holder;
}

}  // namespace

at::Tensor attention(const Blas& blas, const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                     const at::Tensor& mask, const AttentionSetup& setup) {
  return Attention::apply(query, key, value, mask, held(blas, setup));
}

at::Tensor attention(const Blas& blas, const at::Tensor& all, const at::Tensor& mask, const AttentionSetup& setup) {
  return JointAttention::apply(all, mask, held(blas, setup));
}

}  // namespace bertprep
