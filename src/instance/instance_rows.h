// Instances in their compact form, their rows as trainers read them, and where the rows of an InstanceSet come from.
#pragma once

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
Instance make_instance(const SegmentPair& pair, std::uint64_t masks_begin, std::uint16_t masks);

struct RowSource {
  std::span<const TokenId> ids;
  const MaskedTokens* masked;
  TokenId cls;
  TokenId sep;
  std::size_t seq_len;
  std::size_t max_predictions;
};

// Replaces `batch` by one row per instance, including the padding.
void copy_instances(const RowSource& source, std::span<const Instance> instances, Batch& batch);

struct TracedRow {
  SegmentPair pair{};              // as in the row
  SegmentPair whole{};             // before it was truncated
  std::int64_t pass = 0;           // over the documents, from 0
  std::uint32_t aimed_tokens = 0;  // the target length, without [CLS] and [SEP]
  std::uint64_t masks_begin = 0;
  std::uint16_t masks = 0;
};

// RowTrace: where the rows of an InstanceSet come from. Repeats the same draws, keeping what the set discards.
class RowTrace {
 public:
  // The arguments of an existing InstanceSet, which are therefore not checked again. Keeps references to `documents`
  // and `vocab`. Memory: about 110 bytes per row and 6 per masked token.
  RowTrace(const TokenizedDocuments& documents, const InstanceVocab& vocab, const InstanceOptions& options);

  std::size_t rows() const { return order_.size(); }
  const TracedRow& row(std::size_t row) const { return traced_[order_[row]]; }
  // Of the masked tokens of a row, or kKeptToken.
  std::span<const TokenId> replacements(const TracedRow& row) const {
    return std::span(masked_.replacements).subspan(row.masks_begin, row.masks);
  }
  // As InstanceSet::copy_rows(row, 1, batch).
  void copy_row(std::size_t row, Batch& batch) const;

 private:
  const TokenizedDocuments& documents_;
  InstanceVocab vocab_;
  InstanceOptions options_;
  std::vector<TracedRow> traced_;     // as they were drawn
  std::vector<std::uint32_t> order_;  // of the rows
  MaskedTokens masked_;
};

}  // namespace bertprep
