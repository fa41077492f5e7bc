// Checks rows of any origin against docs/formats/shard.md. Of the vocabulary, it knows only the size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bertprep/shard/schema.h"

namespace bertprep {

// What is wrong with the rows of `batch`, naming dataset and row; empty if nothing is. At most kMaxRowFaults messages,
// one per row. Rows are counted from `first_row`, the position of the batch in its shard.
//
// Checked in every row, where "length" is the number of ones in input_mask:
//   input_mask             ones, then zeros; at least one 1
//   input_ids              0 <= id < vocab_size within the length (any id >= 0 if vocab_size is 0), then zeros
//   segment_ids            zeros, then ones, within the length; zeros after it
//   masked_lm_positions    ascending, within 1 .. length - 1; then zeros
//   masked_lm_ids          as input_ids for each position; zeros after the last one
//   next_sentence_labels   0 or 1
//
// Throws FormatError if the arrays of `batch` don't have batch.rows rows of `shape`.
std::vector<std::string> check_rows(const Batch& batch, const ShardShape& shape, std::size_t first_row,
                                    std::int32_t vocab_size);

// The same for token sequences: no id is negative, and the mask is ones, at least one, then zeros.
std::vector<std::string> check_token_rows(const Batch& batch, const ShardShape& shape, std::size_t first_row);

inline constexpr std::size_t kMaxRowFaults = 10;

// Predictions among the masked_lm_positions of a row: position 0 is [CLS] and never masked, so a 0 ends the list.
template <class Position>
std::size_t count_positions(std::span<const Position> positions) {
  return static_cast<std::size_t>(std::find(positions.begin(), positions.end(), 0) - positions.begin());
}

}  // namespace bertprep
