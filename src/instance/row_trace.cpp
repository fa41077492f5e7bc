#include "instance/row_trace.h"

#include <numeric>

#include "instance/row_copy.h"

namespace bertprep {

RowTrace::RowTrace(const TokenizedDocuments& documents, const InstanceVocab& vocab, const InstanceOptions& options)
    : documents_(documents),
      vocab_(vocab),
      lengths_{1, static_cast<std::size_t>(options.seq_len), static_cast<std::size_t>(options.max_predictions)} {
  Random random(options.random_seed);
  SegmentPairs pairs(documents, options, random);
  Masking masking(documents, vocab, options);
  for (TracedRow row; pairs.next_whole(row.whole);) {
    row.pair = row.whole;
    pairs.truncate(row.pair);
    row.pass = pairs.pass();
    row.aimed_tokens = pairs.target_length();
    row.masks_begin = masked_.positions.size();
    row.masks = masking.append(row.pair, random, masked_);
    traced_.push_back(row);
  }
  order_.resize(traced_.size());
  std::iota(order_.begin(), order_.end(), 0U);
  random.shuffle(std::span(order_));
}

std::span<const std::uint16_t> RowTrace::positions(const TracedRow& row) const {
  return std::span(masked_.positions).subspan(row.masks_begin, row.masks);
}

std::span<const TokenId> RowTrace::replacements(const TracedRow& row) const {
  return std::span(masked_.replacements).subspan(row.masks_begin, row.masks);
}

void RowTrace::copy_row(std::size_t row, Batch& batch) const {
  const TracedRow& traced = this->row(row);
  const Instance instance{.masks_begin = traced.masks_begin,
                          .a_begin = static_cast<std::uint32_t>(traced.pair.a_begin),
                          .b_begin = static_cast<std::uint32_t>(traced.pair.b_begin),
                          .a_length = static_cast<std::uint16_t>(traced.pair.a_length),
                          .b_length = static_cast<std::uint16_t>(traced.pair.b_length),
                          .masks = traced.masks,
                          .is_random_next = traced.pair.is_random_next};
  const RowSource source{.ids = documents_.ids,
                         .masked = &masked_,
                         .cls = vocab_.cls,
                         .sep = vocab_.sep,
                         .seq_len = lengths_.seq_len,
                         .max_predictions = lengths_.max_predictions};
  batch.resize(1, lengths_);
  copy_instances(source, {&instance, 1},
                 {batch.input_ids.data(), batch.input_mask.data(), batch.segment_ids.data(),
                  batch.masked_lm_positions.data(), batch.masked_lm_ids.data(), batch.next_sentence_labels.data()});
}

}  // namespace bertprep
