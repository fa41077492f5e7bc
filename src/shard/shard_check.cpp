#include "shard/shard_check.h"

#include <optional>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

using Fault = std::optional<std::string>;

struct Row {
  std::span<const std::int32_t> ids;
  std::span<const std::int8_t> mask;
  std::span<const std::int8_t> segments;
  std::span<const std::int32_t> positions;
  std::span<const std::int32_t> masked_ids;
  std::int8_t label;
};

Row row_of(const Batch& batch, const ShardShape& shape, std::size_t row) {
  const auto tokens = [&](const auto& values) { return std::span(values).subspan(row * shape.seq_len, shape.seq_len); };
  const auto predictions = [&](const auto& values) {
    return std::span(values).subspan(row * shape.max_predictions, shape.max_predictions);
  };
  return {tokens(batch.input_ids),          tokens(batch.input_mask),
          tokens(batch.segment_ids),        predictions(batch.masked_lm_positions),
          predictions(batch.masked_lm_ids), batch.next_sentence_labels[row]};
}

template <class Value>
std::string at(const char* dataset, std::span<const Value> values, std::size_t column) {
  return std::string(dataset) + "[" + std::to_string(column) + "] is " + std::to_string(values[column]);
}

// Nearly all values are valid: first a pass over all of them, without an early exit, which would prevent vectorization.
template <class Value>
bool all_zero(std::span<const Value> values) {
  Value bits = 0;
  for (const Value value : values) bits = static_cast<Value>(bits | value);
  return bits == 0;
}

bool all_below(std::span<const std::int32_t> ids, std::uint32_t limit) {
  std::uint32_t above = 0;
  for (const std::int32_t id : ids) above |= static_cast<std::uint32_t>(id) >= limit ? 1U : 0U;
  return above == 0;
}

template <class Value>
Fault not_zero_from(const char* dataset, std::span<const Value> values, std::size_t from, const char* where) {
  if (all_zero(values.subspan(from))) return {};
  for (std::size_t i = from; i < values.size(); ++i) {
    if (values[i] != 0) return at(dataset, values, i) + ", expected 0 " + where;
  }
  return {};
}

Fault check_ids(const char* dataset, std::span<const std::int32_t> ids, std::int32_t vocab_size) {
  constexpr std::uint32_t kNoLimit = std::uint32_t{1} << 31U;
  if (all_below(ids, vocab_size > 0 ? static_cast<std::uint32_t>(vocab_size) : kNoLimit)) return {};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0) return at(dataset, ids, i) + ", no id is negative";
    if (vocab_size > 0 && ids[i] >= vocab_size) {
      return at(dataset, ids, i) + ", the vocabulary has " + std::to_string(vocab_size) + " pieces";
    }
  }
  return {};
}

// Tokens, by the mask.
std::size_t length_of(const Row& row) {
  const auto end = std::find_if(row.mask.begin(), row.mask.end(), [](std::int8_t mark) { return mark != 1; });
  return static_cast<std::size_t>(end - row.mask.begin());
}

Fault check_mask(const Row& row, std::size_t length) {
  if (length == 0) return "input_mask starts with a 0: a row without tokens";
  return not_zero_from(kInputMask, row.mask, length, "after the last token");
}

Fault check_segments(const Row& row, std::size_t length) {
  std::int8_t before = 0;
  for (std::size_t i = 0; i < length; ++i) {
    const std::int8_t segment = row.segments[i];
    if (segment != 0 && segment != 1) return at(kSegmentIds, row.segments, i) + ", expected 0 or 1";
    if (segment < before) return at(kSegmentIds, row.segments, i) + " after a 1";
    before = segment;
  }
  return not_zero_from(kSegmentIds, row.segments, length, "in the padding");
}

Fault check_positions(const Row& row, std::size_t length) {
  const std::size_t count = count_positions(row.positions);
  std::int32_t before = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t position = row.positions[i];
    if (position <= before)
      return at(kMaskedLmPositions, row.positions, i) + ", expected more than " + std::to_string(before);
    if (static_cast<std::size_t>(position) >= length) {
      return at(kMaskedLmPositions, row.positions, i) + ", the row has " + std::to_string(length) + " tokens";
    }
    before = position;
  }
  return not_zero_from(kMaskedLmPositions, row.positions, count, "after the last position");
}

Fault check_row(const Row& row, std::int32_t vocab_size) {
  const std::size_t length = length_of(row);
  if (Fault fault = check_mask(row, length)) return fault;
  if (Fault fault = check_ids(kInputIds, row.ids.first(length), vocab_size)) return fault;
  if (Fault fault = not_zero_from(kInputIds, row.ids, length, "in the padding")) return fault;
  if (Fault fault = check_segments(row, length)) return fault;
  if (Fault fault = check_positions(row, length)) return fault;
  const std::size_t masked = count_positions(row.positions);
  if (Fault fault = check_ids(kMaskedLmIds, row.masked_ids.first(masked), vocab_size)) return fault;
  if (Fault fault = not_zero_from(kMaskedLmIds, row.masked_ids, masked, "after the last position")) return fault;
  if (row.label == 0 || row.label == 1) return {};
  return std::string(kNextSentenceLabels) + " is " + std::to_string(row.label) + ", expected 0 or 1";
}

void check_sizes(const Batch& batch, const ShardShape& shape) {
  const std::size_t tokens = batch.rows * shape.seq_len;
  const std::size_t predictions = batch.rows * shape.max_predictions;
  if (batch.input_ids.size() == tokens && batch.input_mask.size() == tokens && batch.segment_ids.size() == tokens &&
      batch.masked_lm_positions.size() == predictions && batch.masked_lm_ids.size() == predictions &&
      batch.next_sentence_labels.size() == batch.rows) {
    return;
  }
  throw FormatError("the arrays of the batch don't have " + std::to_string(batch.rows) + " rows of " +
                    std::to_string(shape.seq_len) + " tokens and " + std::to_string(shape.max_predictions) +
                    " predictions");
}

Fault check_token_row(const Row& row) {
  const std::size_t length = length_of(row);
  if (length == 0) return std::string("its mask counts no token");
  if (Fault fault = check_ids(kInputIds, row.ids, 0)) return fault;
  return not_zero_from(kAttentionMask, row.mask, length, "after a 0");
}

// `check` of each row, in words.
template <class Check>
std::vector<std::string> faults_of(const Batch& batch, const ShardShape& shape, std::size_t first_row, Check check) {
  check_sizes(batch, shape);
  std::vector<std::string> faults;
  for (std::size_t row = 0; row < batch.rows && faults.size() < kMaxRowFaults; ++row) {
    if (Fault fault = check(row_of(batch, shape, row))) {
      faults.push_back("row " + std::to_string(first_row + row) + ": " + *fault);
    }
  }
  return faults;
}

}  // namespace

std::vector<std::string> check_rows(const Batch& batch, const ShardShape& shape, std::size_t first_row,
                                    std::int32_t vocab_size) {
  return faults_of(batch, shape, first_row, [&](const Row& row) { return check_row(row, vocab_size); });
}

std::vector<std::string> check_token_rows(const Batch& batch, const ShardShape& shape, std::size_t first_row) {
  return faults_of(batch, shape, first_row, check_token_row);
}

}  // namespace bertprep
