#include "trainer/torch/attention.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "trainer/counter_random.h"
#include "trainer/kernels.h"
#include "trainer/softmax.h"

namespace bertprep {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

struct Inputs {
  const float* query;
  const float* key;
  const float* value;
  const float* mask;
};

// The heads of all rows, one after the other, in ATen's threads.
class Heads {
 public:
  Heads(const Blas& blas, const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
        const at::Tensor& mask, const AttentionSetup& setup)
      : blas_(blas),
        setup_(setup),
        in_{query.data_ptr<float>(), key.data_ptr<float>(), value.data_ptr<float>(), mask.data_ptr<float>()},
        rows_(mask.size(0)),
        tokens_(mask.size(3)),
        hidden_(query.size(1)),
        width_(hidden_ / setup.heads),
        scale_(static_cast<float>(1 / std::sqrt(static_cast<double>(width_)))) {}

  void mix(float* mixed) const {
    at::parallel_for(0, rows_ * setup_.heads, 1, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> shares(square());
      for (std::int64_t i = begin; i < end; ++i) {
        const Place place = place_of(i);
        make_shares(place, shares.data());
        drop(place, shares.data(), shares.data());
        blas_.multiply({tokens_, width_, tokens_}, {shares.data(), tokens_}, {in_.value + place.offset, hidden_},
                       mixed + place.offset, hidden_);
      }
    });
  }

  struct Gradients {
    float* query;
    float* key;
    float* value;
  };
  void gradients(const float* of_mixed, const Gradients& out) const {
    at::parallel_for(0, rows_ * setup_.heads, 1, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> shares(square());
      std::vector<float> scratch(square());
      for (std::int64_t i = begin; i < end; ++i) {
        const Place place = place_of(i);
        make_shares(place, shares.data());
        drop(place, shares.data(), scratch.data());
        const MatrixPart mixed{of_mixed + place.offset, hidden_};
        blas_.multiply({tokens_, width_, tokens_}, {scratch.data(), tokens_, true}, mixed, out.value + place.offset,
                       hidden_);
        blas_.multiply({tokens_, tokens_, width_}, mixed, {in_.value + place.offset, hidden_, true}, scratch.data(),
                       tokens_);
        drop(place, scratch.data(), scratch.data());
        for (std::int64_t row = 0; row < tokens_; ++row) {
          softmax_gradient_row(scratch.data() + row * tokens_, shares.data() + row * tokens_, tokens_);
        }
        blas_.multiply({tokens_, width_, tokens_}, {scratch.data(), tokens_}, {in_.key + place.offset, hidden_},
                       out.query + place.offset, hidden_, scale_);
        blas_.multiply({tokens_, width_, tokens_}, {scratch.data(), tokens_, true}, {in_.query + place.offset, hidden_},
                       out.key + place.offset, hidden_, scale_);
      }
    });
  }

 private:
  struct Place {
    std::int64_t row = 0, head = 0;
    std::int64_t offset = 0;  // of its first value in query, key and value
  };
  Place place_of(std::int64_t number) const {
    const std::int64_t row = number / setup_.heads;
    const std::int64_t head = number % setup_.heads;
    return {row, head, row * tokens_ * hidden_ + head * width_};
  }
  std::size_t square() const { return static_cast<std::size_t>(tokens_ * tokens_); }

  void make_shares(const Place& place, float* shares) const {
    blas_.multiply({tokens_, tokens_, width_}, {in_.query + place.offset, hidden_},
                   {in_.key + place.offset, hidden_, true}, shares, tokens_, scale_);
    for (std::int64_t row = 0; row < tokens_; ++row) {
      softmax_row(shares + row * tokens_, in_.mask + place.row * tokens_, tokens_);
    }
  }
  void drop(const Place& place, const float* from, float* to) const {
    const std::uint64_t key = key_of_row(setup_.dropout_key, setup_.rows.first + static_cast<std::uint64_t>(place.row));
    const std::int64_t count = tokens_ * tokens_;
    if (setup_.dropout <= 0) {
      if (from != to) std::copy_n(from, count, to);
      return;
    }
    dropout_values(from, to, count, place.head * count, setup_.dropout, key);
  }

  const Blas& blas_;
  const AttentionSetup setup_;
  Inputs in_;
  std::int64_t rows_, tokens_, hidden_, width_;
  float scale_;
};

struct SetupHolder : torch::CustomClassHolder {
  const Blas* blas = nullptr;
  AttentionSetup setup;
};

struct Attention : torch::autograd::Function<Attention> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& query, const at::Tensor& key,
                            const at::Tensor& value, const at::Tensor& mask,
                            const c10::intrusive_ptr<SetupHolder>& holder) {
    context->save_for_backward({query, key, value, mask});
    context->saved_data["setup"] = c10::IValue::make_capsule(holder);
    at::Tensor mixed = at::empty_like(query);
    Heads(*holder->blas, query, key, value, mask, holder->setup).mix(mixed.data_ptr<float>());
    return mixed;
  }
  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const tensor_list saved = context->get_saved_variables();
    const auto holder = context->saved_data["setup"].toCapsule();
    const auto& setup = static_cast<const SetupHolder&>(*holder);
    const at::Tensor of_mixed = gradients[0].contiguous();
    const tensor_list out{at::empty_like(saved[0]), at::empty_like(saved[1]), at::empty_like(saved[2])};
    Heads(*setup.blas, saved[0], saved[1], saved[2], saved[3], setup.setup)
        .gradients(of_mixed.data_ptr<float>(),
                   {out[0].data_ptr<float>(), out[1].data_ptr<float>(), out[2].data_ptr<float>()});
    return {out[0], out[1], out[2], {}, {}};
  }
};

}  // namespace

at::Tensor attention(const Blas& blas, const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                     const at::Tensor& mask, const AttentionSetup& setup) {
  auto holder = c10::make_intrusive<SetupHolder>();
  holder->blas = &blas;
  holder->setup = setup;
  return Attention::apply(query, key, value, mask, holder);
}

}  // namespace bertprep
