#include "instance/instance_rows.h"

#include <algorithm>

namespace bertprep {
namespace {

// Instances are shuffled, so their tokens are not in the cache; those of later rows are prefetched.
constexpr std::size_t kRowsAhead = 8;

void prefetch(const RowSource& source, const Instance& instance) {
  __builtin_prefetch(source.ids.data() + instance.a_begin);
  __builtin_prefetch(source.ids.data() + instance.b_begin);
  __builtin_prefetch(source.masked.positions.data() + instance.masks_begin);
  __builtin_prefetch(source.masked.replacements.data() + instance.masks_begin);
}

void write_tokens(const RowSource& source, const Instance& instance, std::int32_t* row) {
  std::int32_t* out = row;
  *out++ = source.cls;
  out = std::copy_n(source.ids.data() + instance.a_begin, instance.a_length, out);
  *out++ = source.sep;
  out = std::copy_n(source.ids.data() + instance.b_begin, instance.b_length, out);
  *out++ = source.sep;
  std::fill(out, row + source.seq_len, 0);
}

void write_segments(const RowSource& source, const Instance& instance, std::int8_t* mask, std::int8_t* segments) {
  const std::size_t a_end = instance.a_length + std::size_t{2};
  const std::size_t length = a_end + instance.b_length + 1;
  std::fill_n(mask, length, std::int8_t{1});
  std::fill(mask + length, mask + source.seq_len, std::int8_t{0});
  std::fill_n(segments, a_end, std::int8_t{0});
  std::fill(segments + a_end, segments + length, std::int8_t{1});
  std::fill(segments + length, segments + source.seq_len, std::int8_t{0});
}

// Moves the original tokens out of `tokens` and writes their replacements.
void write_masks(const RowSource& source, const Instance& instance, std::int32_t* tokens, std::int32_t* positions,
                 std::int32_t* originals) {
  const std::uint16_t* position = source.masked.positions.data() + instance.masks_begin;
  const TokenId* replacement = source.masked.replacements.data() + instance.masks_begin;
  for (std::size_t k = 0; k < instance.masks; ++k) {
    TokenId& token = tokens[position[k]];
    positions[k] = position[k];
    originals[k] = token;
    token = replacement[k] == kKeptToken ? token : replacement[k];
  }
  std::fill(positions + instance.masks, positions + source.max_predictions, 0);
  std::fill(originals + instance.masks, originals + source.max_predictions, 0);
}

}  // namespace

Instance make_instance(const SegmentPair& pair, std::uint64_t masks_begin, std::uint16_t masks) {
  return {.masks_begin = masks_begin,
          .a_begin = static_cast<std::uint32_t>(pair.a_begin),
          .b_begin = static_cast<std::uint32_t>(pair.b_begin),
          .a_length = static_cast<std::uint16_t>(pair.a_length),
          .b_length = static_cast<std::uint16_t>(pair.b_length),
          .masks = masks,
          .is_random_next = pair.is_random_next};
}

void copy_instances(const RowSource& source, std::span<const Instance> instances, Batch& batch) {
  batch.resize(instances.size(), {instances.size(), source.seq_len, source.max_predictions});
  for (std::size_t row = 0; row < instances.size(); ++row) {
    if (row + kRowsAhead < instances.size()) prefetch(source, instances[row + kRowsAhead]);
    const Instance& instance = instances[row];
    const std::size_t first_token = row * source.seq_len;
    const std::size_t first_mask = row * source.max_predictions;
    std::int32_t* tokens = batch.input_ids.data() + first_token;
    write_tokens(source, instance, tokens);
    write_segments(source, instance, batch.input_mask.data() + first_token, batch.segment_ids.data() + first_token);
    write_masks(source, instance, tokens, batch.masked_lm_positions.data() + first_mask,
                batch.masked_lm_ids.data() + first_mask);
    batch.next_sentence_labels[row] = instance.is_random_next ? 1 : 0;
  }
}

RowTrace::RowTrace(const TokenizedDocuments& documents, const InstanceVocab& vocab, const InstanceOptions& options)
    : documents_(documents), vocab_(vocab), options_(options) {
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
    rows_.push_back(row);
  }
  random.shuffle(std::span(rows_));
}

void RowTrace::copy_row(std::size_t row, Batch& batch) const {
  const TracedRow& traced = this->row(row);
  const Instance instance = make_instance(traced.pair, traced.masks_begin, traced.masks);
  copy_instances({documents_, masked_, vocab_, options_}, {&instance, 1}, batch);
}

}  // namespace bertprep
