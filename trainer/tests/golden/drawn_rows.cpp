#include "trainer/tests/golden/drawn_rows.h"

#include <algorithm>

#include "trainer/counter_random.h"

namespace bertprep::test {
namespace {

struct RowDraw {
  std::uint64_t row;
  std::uint64_t operator()(std::uint64_t place, std::uint64_t below) const {
    return mixed_bits(row * 1000 + place) % below;
  }
};

void draw_row(Batch& batch, std::size_t row, const ShardShape& shape, std::uint64_t vocab) {
  const RowDraw draw{row};
  const std::size_t length = shape.seq_len / 2 + draw(0, shape.seq_len / 2 + 1);
  for (std::size_t i = 0; i < length; ++i) {
    const std::size_t at = row * shape.seq_len + i;
    batch.input_ids[at] = static_cast<std::int32_t>(5 + draw(1 + i, vocab - 5));
    batch.input_mask[at] = 1;
    batch.segment_ids[at] = i >= length / 2 ? 1 : 0;
  }
  const std::size_t predictions = 1 + draw(500, shape.max_predictions);
  for (std::size_t k = 0; k < predictions; ++k) {
    const std::size_t at = row * shape.max_predictions + k;
    batch.masked_lm_positions[at] = static_cast<std::int32_t>(1 + k * (length - 2) / shape.max_predictions);
    batch.masked_lm_ids[at] = static_cast<std::int32_t>(5 + draw(600 + k, vocab - 5));
  }
  batch.next_sentence_labels[row] = static_cast<std::int8_t>(draw(700, 2));
}

}  // namespace

Batch drawn_rows(std::size_t count, std::size_t tokens, std::size_t predictions, std::uint64_t vocab) {
  Batch batch;
  const ShardShape shape{count, tokens, predictions};
  batch.resize(count, shape);
  for (auto* values : {&batch.input_ids, &batch.masked_lm_positions, &batch.masked_lm_ids}) {
    std::fill(values->begin(), values->end(), 0);
  }
  std::fill(batch.input_mask.begin(), batch.input_mask.end(), std::int8_t{0});
  std::fill(batch.segment_ids.begin(), batch.segment_ids.end(), std::int8_t{0});
  for (std::size_t row = 0; row < count; ++row) draw_row(batch, row, shape, vocab);
  return batch;
}

}  // namespace bertprep::test
