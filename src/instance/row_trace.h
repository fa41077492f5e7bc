// RowTrace: where the rows of an InstanceSet come from. Repeats the same draws, keeping what the set discards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bertprep/instance/instance_set.h"
#include "instance/masking.h"
#include "instance/segment_pairs.h"

namespace bertprep {

struct TracedRow {
  SegmentPair pair{};              // as in the row
  SegmentPair whole{};             // before it was truncated
  std::int64_t pass = 0;           // over the documents, from 0
  std::uint32_t aimed_tokens = 0;  // the target length, without [CLS] and [SEP]
  std::uint64_t masks_begin = 0;
  std::uint16_t masks = 0;
};

class RowTrace {
 public:
  // The arguments of an existing InstanceSet, which are therefore not checked again. Keeps references to `documents`
  // and `vocab`. Memory: about 110 bytes per row and 6 per masked token.
  RowTrace(const TokenizedDocuments& documents, const InstanceVocab& vocab, const InstanceOptions& options);

  std::size_t rows() const { return order_.size(); }
  const TracedRow& row(std::size_t row) const { return traced_[order_[row]]; }
  // Of the masked tokens of a row: their positions in it, and their replacements, or kKeptToken.
  std::span<const std::uint16_t> positions(const TracedRow& row) const;
  std::span<const TokenId> replacements(const TracedRow& row) const;
  // As InstanceSet::copy_rows(row, 1, batch).
  void copy_row(std::size_t row, Batch& batch) const;

 private:
  const TokenizedDocuments& documents_;
  InstanceVocab vocab_;
  ShardShape lengths_;
  std::vector<TracedRow> traced_;     // as they were drawn
  std::vector<std::uint32_t> order_;  // of the rows
  MaskedTokens masked_;
};

}  // namespace bertprep
