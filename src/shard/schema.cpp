#include "bertprep/shard/schema.h"

#include <algorithm>

#include "shard/pool_reading.h"

namespace bertprep {
namespace {

template <class T>
void copy_run(const std::vector<T>& from, std::size_t from_row, std::vector<T>& to, std::size_t to_row,
              std::size_t width) {
  std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(from_row * width), width,
              to.begin() + static_cast<std::ptrdiff_t>(to_row * width));
}

}  // namespace

void Batch::resize(std::size_t count, const ShardShape& shape) {
  rows = count;
  input_ids.resize(count * shape.seq_len);
  input_mask.resize(count * shape.seq_len);
  segment_ids.resize(count * shape.seq_len);
  masked_lm_positions.resize(count * shape.max_predictions);
  masked_lm_ids.resize(count * shape.max_predictions);
  next_sentence_labels.resize(count);
}

void copy_row(const Batch& from, std::size_t from_row, Batch& to, std::size_t to_row, const ShardShape& shape) {
  copy_run(from.input_ids, from_row, to.input_ids, to_row, shape.seq_len);
  copy_run(from.input_mask, from_row, to.input_mask, to_row, shape.seq_len);
  copy_run(from.segment_ids, from_row, to.segment_ids, to_row, shape.seq_len);
  copy_run(from.masked_lm_positions, from_row, to.masked_lm_positions, to_row, shape.max_predictions);
  copy_run(from.masked_lm_ids, from_row, to.masked_lm_ids, to_row, shape.max_predictions);
  to.next_sentence_labels[to_row] = from.next_sentence_labels[from_row];
}

}  // namespace bertprep
