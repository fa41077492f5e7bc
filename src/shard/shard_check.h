// Checks that rows are what docs/formats/shard.md promises, whoever made them. Knows no vocabulary but its size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bertprep/shard/schema.h"

namespace bertprep {

// What is wrong with the rows of `batch`, in words that name dataset and row; empty when nothing is. At most
// kMaxRowFaults messages, one a row. Rows are counted from `first_row`, the place of the batch in its shard.
//
// Held for every row, where "length" is the number of ones in input_mask:
//   input_mask             ones, then zeros; at least one 1
//   input_ids              0 <= id < vocab_size within the length (any id >= 0 when vocab_size is 0), then zeros
//   segment_ids            zeros, then ones, within the length; zeros behind it
//   masked_lm_positions    ascending, within 1 .. length - 1; then zeros
//   masked_lm_ids          as input_ids where there is a position; zeros behind the last one
//   next_sentence_labels   0 or 1
//
// Throws FormatError when the arrays of `batch` don't have batch.rows rows of `shape`.
std::vector<std::string> check_rows(const Batch& batch, const ShardShape& shape, std::size_t first_row,
                                    std::int32_t vocab_size);

// The same of token sequences: no id is negative, and the mask is ones, one at least, then zeros.
std::vector<std::string> check_token_rows(const Batch& batch, const ShardShape& shape, std::size_t first_row);

inline constexpr std::size_t kMaxRowFaults = 10;

}  // namespace bertprep
