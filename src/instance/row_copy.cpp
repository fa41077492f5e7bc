#include "instance/row_copy.h"

#include <algorithm>

namespace bertprep {
namespace {

// Instances are shuffled, so their tokens are not in the cache; those of later rows are prefetched.
constexpr std::size_t kRowsAhead = 8;

void prefetch(const RowSource& source, const Instance& instance) {
  __builtin_prefetch(source.ids.data() + instance.a_begin);
  __builtin_prefetch(source.ids.data() + instance.b_begin);
  __builtin_prefetch(source.masked->positions.data() + instance.masks_begin);
  __builtin_prefetch(source.masked->replacements.data() + instance.masks_begin);
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
  const std::uint16_t* position = source.masked->positions.data() + instance.masks_begin;
  const TokenId* replacement = source.masked->replacements.data() + instance.masks_begin;
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

void copy_instances(const RowSource& source, std::span<const Instance> instances, const InstanceArrays& arrays) {
  for (std::size_t row = 0; row < instances.size(); ++row) {
    if (row + kRowsAhead < instances.size()) prefetch(source, instances[row + kRowsAhead]);
    const Instance& instance = instances[row];
    std::int32_t* tokens = arrays.input_ids + row * source.seq_len;
    write_tokens(source, instance, tokens);
    write_segments(source, instance, arrays.input_mask + row * source.seq_len,
                   arrays.segment_ids + row * source.seq_len);
    write_masks(source, instance, tokens, arrays.masked_lm_positions + row * source.max_predictions,
                arrays.masked_lm_ids + row * source.max_predictions);
    arrays.next_sentence_labels[row] = instance.is_random_next ? 1 : 0;
  }
}

}  // namespace bertprep
