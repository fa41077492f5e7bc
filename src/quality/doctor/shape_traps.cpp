#include "quality/doctor/shape_traps.h"

#include <algorithm>
#include <array>

#include "bertprep/shard/schema.h"

namespace bertprep {
namespace {

constexpr std::array kBertColumns{kInputIds,          kInputMask,   kSegmentIds,
                                  kMaskedLmPositions, kMaskedLmIds, kNextSentenceLabels};
// Columns that have one value for each token, or for each prediction.
constexpr std::array kTokenColumns{kInputMask, kSegmentIds, "attention_mask", "token_type_ids", "labels"};

std::size_t width_of(const ShardColumns& columns, const char* name) {
  const Hdf5InputDataset* column = columns.find(name);
  return column == nullptr ? 0 : ShardColumns::width(*column);
}

std::string lengths_text(std::size_t tokens, std::size_t predictions) {
  const std::string text = std::to_string(tokens) + " tokens";
  return predictions == 0 ? text : text + " and " + std::to_string(predictions) + " predictions";
}

}  // namespace

void ShapeTraps::add(const std::string& file, bool is_for_test, const ShardColumns& columns) {
  check_columns(file, columns);
  check_first_dimensions(file, columns);
  check_lengths(file, is_for_test, columns);
}

void ShapeTraps::check_columns(const std::string& file, const ShardColumns& columns) {
  for (const auto& [name, text] : columns.unreadable()) {
    const bool is_needed = std::find(kBertColumns.begin(), kBertColumns.end(), name) != kBertColumns.end();
    if (is_needed) findings_.add(Trap::kUnreadableColumn, {file}, text);
  }
  if (kind_ == RowKind::kBert) {
    findings_.add(is_own_ ? Trap::kMappedColumns : Trap::kDroppedColumns, {file},
                  "has input_mask, segment_ids and masked_lm_ids where a model of HuggingFace's takes attention_mask, "
                  "token_type_ids and labels");
  }
  const Hdf5InputDataset* labels = columns.find(kNextSentenceLabels);
  if (labels != nullptr && labels->shape().size() > 1) {
    findings_.add(Trap::kLabelDimensions, {file}, labels->shape_text() + ", expected one dimension");
  }
  if (!is_for_bert_) return;
  std::string missing;
  for (const char* name : kBertColumns) {
    if (!columns.has(name)) missing += (missing.empty() ? "" : ", ") + std::string(name);
  }
  if (!missing.empty()) findings_.add(Trap::kMissingColumns, {file}, "has no " + missing);
}

void ShapeTraps::check_first_dimensions(const std::string& file, const ShardColumns& columns) {
  const Hdf5InputDataset* first = columns.find(kInputIds);
  for (const std::string& name : columns.names()) {
    const Hdf5InputDataset* column = columns.find(name);
    if (column == nullptr) continue;
    if (first == nullptr) first = column;
    if (column->shape().front() == first->shape().front()) continue;
    findings_.add(Trap::kFirstDimensions, {file}, column->shape_text() + ", but " + first->shape_text());
    return;
  }
}

void ShapeTraps::check_lengths(const std::string& file, bool is_for_test, const ShardColumns& columns) {
  const Hdf5InputDataset* ids = columns.find(kInputIds);
  if (ids == nullptr) return;
  const Lengths lengths{file, ShardColumns::width(*ids), width_of(columns, kMaskedLmPositions)};
  for (const char* name : kTokenColumns) {
    const Hdf5InputDataset* column = columns.find(name);
    const bool is_one_a_row = column != nullptr && column->shape().size() == 1;  // one label per row
    if (column == nullptr || is_one_a_row || ShardColumns::width(*column) == lengths.tokens) continue;
    findings_.add(Trap::kRowLengths, {file}, column->shape_text() + ", but " + ids->shape_text());
  }
  const Hdf5InputDataset* masked_ids = columns.find(kMaskedLmIds);
  if (masked_ids != nullptr && columns.find(kMaskedLmPositions) != nullptr &&
      ShardColumns::width(*masked_ids) != lengths.predictions) {
    findings_.add(Trap::kRowLengths, {file},
                  masked_ids->shape_text() + ", but " + columns.find(kMaskedLmPositions)->shape_text());
  }
  if (!is_for_test) {
    if (!first_training_) first_training_ = lengths;
    if (lengths.tokens != first_training_->tokens) {
      findings_.add(Trap::kRowLengths, {file}, difference(lengths, *first_training_));
      return;
    }
  }
  if (!first_) first_ = lengths;
  if (lengths.tokens == first_->tokens && lengths.predictions == first_->predictions) return;
  findings_.add(Trap::kColumnWidths, {file}, difference(lengths, *first_));
}

std::string ShapeTraps::difference(const Lengths& lengths, const Lengths& first) {
  return "has rows of " + lengths_text(lengths.tokens, lengths.predictions) + ", " + first.file + " of " +
         lengths_text(first.tokens, first.predictions);
}

}  // namespace bertprep
