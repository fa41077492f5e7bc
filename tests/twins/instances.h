// The rules of instances restated as simply as possible: a slow twin of the fast code. It shares only structs with the
// library, not even the random generator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bertprep/instance/instance_set.h"

namespace bertprep::test {

// The output of InstanceSet::copy_rows for all rows, and the number of outputs drawn.
struct InstanceRows {
  std::size_t rows = 0;
  std::uint64_t random_draws = 0;
  std::vector<std::int32_t> input_ids;
  std::vector<std::int8_t> input_mask;
  std::vector<std::int8_t> segment_ids;
  std::vector<std::int32_t> masked_lm_positions;
  std::vector<std::int32_t> masked_lm_ids;
  std::vector<std::int8_t> next_sentence_labels;

  bool operator==(const InstanceRows&) const = default;
};

InstanceRows plain_instances(const TokenizedDocuments& documents, const InstanceVocab& vocab,
                             const InstanceOptions& options);

// All rows of `set` by copy_rows, `rows_at_once` at a time, over memory that was not zero.
InstanceRows copied_rows(const InstanceSet& set, const InstanceOptions& options, std::size_t rows_at_once);

}  // namespace bertprep::test
