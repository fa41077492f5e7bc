#include "trainer/torch/model_batch.h"

#include <algorithm>
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

// Calls see(row, position, id) for each prediction of rows [first, first + count).
template <class See>
void each_masked_token(const Batch& batch, std::size_t first, std::size_t count, See see) {
  const std::size_t most = batch.masked_lm_positions.size() / batch.rows;
  for (std::size_t row = first; row < first + count; ++row) {
    for (std::size_t i = row * most; i < (row + 1) * most && batch.masked_lm_positions[i] != 0; ++i) {
      see(row, batch.masked_lm_positions[i], batch.masked_lm_ids[i]);
    }
  }
}

template <class See>
void each_next_token(const Batch& batch, std::size_t first, std::size_t count, See see) {
  const std::size_t tokens = batch.input_ids.size() / batch.rows;
  for (std::size_t row = first; row < first + count; ++row) {
    const std::size_t begin = row * tokens;
    for (std::size_t i = 0; i + 1 < tokens && batch.input_mask[begin + i + 1] != 0; ++i) {
      see(row, i, batch.input_ids[begin + i + 1]);
    }
  }
}

template <class See>
void each_prediction(ModelKind kind, const Batch& batch, std::size_t first, std::size_t count, See see) {
  if (batch.rows == 0) return;
  kind == ModelKind::kGpt2 ? each_next_token(batch, first, count, see) : each_masked_token(batch, first, count, see);
}

void add_predictions(ModelKind kind, const Batch& batch, std::size_t first, std::size_t count, ModelBatch& result) {
  std::vector<std::int64_t> places;
  std::vector<std::int64_t> ids;
  const std::int64_t tokens = result.tokens();
  each_prediction(kind, batch, first, count, [&](std::size_t row, auto position, std::int32_t id) {
    places.push_back(static_cast<std::int64_t>(row - first) * tokens + static_cast<std::int64_t>(position));
    ids.push_back(id);
  });
  result.label_rows = tensor_of(places);
  result.label_ids = tensor_of(ids);
}

}  // namespace

std::int64_t count_predictions(ModelKind kind, const Batch& rows) {
  std::int64_t count = 0;
  each_prediction(kind, rows, 0, rows.rows, [&](std::size_t, auto, std::int32_t) { ++count; });
  return count;
}

ModelBatch make_model_batch(ModelKind kind, const Batch& batch, std::size_t first, std::size_t count,
                            const at::Device& device) {
  const std::size_t tokens = batch.input_ids.size() / batch.rows;
  ModelBatch result;
  result.input_ids = rows_of(batch.input_ids, first, count, tokens);
  result.mask = attention_mask(batch, first, count, tokens);
  add_predictions(kind, batch, first, count, result);
  if (kind == ModelKind::kBert) {
    result.segment_ids = rows_of(batch.segment_ids, first, count, tokens);
    result.next_labels = rows_of(batch.next_sentence_labels, first, count, 1).view({-1});
  }
  for (at::Tensor* tensor : {&result.input_ids, &result.segment_ids, &result.mask, &result.label_rows,
                             &result.label_ids, &result.next_labels}) {
    if (tensor->defined()) *tensor = tensor->to(device);
  }
  return result;
}

}  // namespace bertprep
