#include "trainer/torch/bert_batch.h"

#include <vector>

namespace bertprep {
namespace {

// `count` rows of `width` values of a row-major array, as i64.
template <class T>
at::Tensor rows_of(const std::vector<T>& values, std::size_t first, std::size_t count, std::size_t width) {
  at::Tensor tensor = at::empty({static_cast<std::int64_t>(count), static_cast<std::int64_t>(width)}, at::kLong);
  const T* from = values.data() + first * width;
  std::copy_n(from, count * width, tensor.data_ptr<std::int64_t>());
  return tensor;
}

at::Tensor attention_mask(const Batch& batch, std::size_t first, std::size_t count, std::size_t tokens) {
  const auto rows = static_cast<std::int64_t>(count);
  at::Tensor mask = at::empty({rows, 1, 1, static_cast<std::int64_t>(tokens)}, at::kFloat);
  float* values = mask.data_ptr<float>();
  for (std::size_t i = 0; i < count * tokens; ++i) {
    values[i] = batch.input_mask[first * tokens + i] == 0 ? -10000.0F : 0.0F;
  }
  return mask;
}

at::Tensor tensor_of(const std::vector<std::int64_t>& values) {
  at::Tensor tensor = at::empty({static_cast<std::int64_t>(values.size())}, at::kLong);
  std::copy(values.begin(), values.end(), tensor.data_ptr<std::int64_t>());
  return tensor;
}

void add_predictions(const Batch& batch, std::size_t first, std::size_t count, std::size_t tokens, BertBatch& result) {
  const std::size_t most = batch.masked_lm_positions.size() / batch.rows;
  std::vector<std::int64_t> places;
  std::vector<std::int64_t> ids;
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t i = 0; i < most; ++i) {
      const std::size_t at = (first + row) * most + i;
      if (batch.masked_lm_positions[at] == 0) break;
      places.push_back(static_cast<std::int64_t>(row * tokens) + batch.masked_lm_positions[at]);
      ids.push_back(batch.masked_lm_ids[at]);
    }
  }
  result.masked_rows = tensor_of(places);
  result.masked_ids = tensor_of(ids);
}

}  // namespace

BertBatch make_bert_batch(const Batch& batch, std::size_t first, std::size_t count, const at::Device& device) {
  const std::size_t tokens = batch.input_ids.size() / batch.rows;
  BertBatch result;
  result.input_ids = rows_of(batch.input_ids, first, count, tokens);
  result.segment_ids = rows_of(batch.segment_ids, first, count, tokens);
  result.mask = attention_mask(batch, first, count, tokens);
  add_predictions(batch, first, count, tokens, result);
  result.next_labels = rows_of(batch.next_sentence_labels, first, count, 1).view({-1});
  for (at::Tensor* tensor : {&result.input_ids, &result.segment_ids, &result.mask, &result.masked_rows,
                             &result.masked_ids, &result.next_labels}) {
    *tensor = tensor->to(device);
  }
  return result;
}

}  // namespace bertprep
