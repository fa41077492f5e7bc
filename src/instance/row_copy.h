// Rows of a trainer, written from the compact form of an instance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "bertprep/instance/instance_set.h"
#include "instance/masking.h"

namespace bertprep {

// An instance as references: runs of TokenizedDocuments::ids and of MaskedTokens. A shard has millions.
struct Instance {
  std::uint64_t masks_begin;
  std::uint32_t a_begin;
  std::uint32_t b_begin;
  std::uint16_t a_length;
  std::uint16_t b_length;
  std::uint16_t masks;
  bool is_random_next;
};

struct RowSource {
  std::span<const TokenId> ids;
  const MaskedTokens* masked;
  TokenId cls;
  TokenId sep;
  std::size_t seq_len;
  std::size_t max_predictions;
};

// Rows as the trainer reads them, all row-major; every array has `rows` rows. Padding is 0.
struct InstanceArrays {
  std::int32_t* input_ids;            // rows x seq_len
  std::int8_t* input_mask;            // rows x seq_len, 1 for tokens
  std::int8_t* segment_ids;           // rows x seq_len, 1 for B and its [SEP]
  std::int32_t* masked_lm_positions;  // rows x max_predictions, ascending
  std::int32_t* masked_lm_ids;        // rows x max_predictions, the original ids
  std::int8_t* next_sentence_labels;  // rows, 1 = B is random
};

// Writes one row per instance, including the padding.
void copy_instances(const RowSource& source, std::span<const Instance> instances, const InstanceArrays& arrays);

}  // namespace bertprep
