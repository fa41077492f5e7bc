// The layout of a shard: six datasets in the root group of an HDF5 file. docs/formats/shard.md describes it
// with an example; only this header defines the names and types. Token sequences (docs/formats/sequences.md) have
// input_ids, and attention_mask where rows are padded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bertprep {

inline constexpr const char* kInputIds = "input_ids";                       // int32  rows x seq_len
inline constexpr const char* kInputMask = "input_mask";                     // int8   rows x seq_len
inline constexpr const char* kSegmentIds = "segment_ids";                   // int8   rows x seq_len
inline constexpr const char* kMaskedLmPositions = "masked_lm_positions";    // int32  rows x max_predictions
inline constexpr const char* kMaskedLmIds = "masked_lm_ids";                // int32  rows x max_predictions
inline constexpr const char* kNextSentenceLabels = "next_sentence_labels";  // int8   rows
inline constexpr const char* kAttentionMask = "attention_mask";             // int8   rows x seq_len

// What a row holds.
enum class RowContent {
  kInstances,  // for BERT: masked tokens and next sentences
  kTokens,     // only ids, as for GPT-2
};

struct ShardShape {
  std::size_t rows = 0;
  std::size_t seq_len = 0;          // tokens
  std::size_t max_predictions = 0;  // maximum number of masked tokens
};

// Rows as flat row-major arrays, which a reader fills and a writer accepts. Padding is 0. For token sequences, the mask
// marks the padding, segments and labels are 0, and there are no predictions.
struct Batch {
  std::size_t rows = 0;
  std::vector<std::int32_t> input_ids;
  std::vector<std::int8_t> input_mask;
  std::vector<std::int8_t> segment_ids;
  std::vector<std::int32_t> masked_lm_positions;
  std::vector<std::int32_t> masked_lm_ids;
  std::vector<std::int8_t> next_sentence_labels;

  // Allocates `count` rows of this shape and sets `rows`; contents are unspecified.
  void resize(std::size_t count, const ShardShape& shape);
};

}  // namespace bertprep
