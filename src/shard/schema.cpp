#include "bertprep/shard/schema.h"

namespace bertprep {

void Batch::resize(std::size_t count, const ShardShape& shape) {
  rows = count;
  input_ids.resize(count * shape.seq_len);
  input_mask.resize(count * shape.seq_len);
  segment_ids.resize(count * shape.seq_len);
  masked_lm_positions.resize(count * shape.max_predictions);
  masked_lm_ids.resize(count * shape.max_predictions);
  next_sentence_labels.resize(count);
}

}  // namespace bertprep
