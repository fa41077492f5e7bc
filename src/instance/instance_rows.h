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
  // Keeps references to the ids of `documents` and to `masked_tokens`.
  RowSource(const TokenizedDocuments& documents, const MaskedTokens& masked_tokens, const InstanceVocab& vocab,
            const InstanceOptions& options)
      : ids(documents.ids),
        masked(masked_tokens),
        cls(vocab.cls),
        sep(vocab.sep),
        seq_len(static_cast<std::size_t>(options.seq_len)),
        max_predictions(static_cast<std::size_t>(options.max_predictions)) {}

  std::span<const TokenId> ids;
  const MaskedTokens& masked;
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

  std::size_t rows() const { return rows_.size(); }
  const TracedRow& row(std::size_t row) const { return rows_[row]; }
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
  std::vector<TracedRow> rows_;
  MaskedTokens masked_;
};

}  // namespace bertprep
