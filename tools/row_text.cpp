#include "row_text.h"

#include <vector>

#include "console/json_event.h"

namespace bertprep::cli {
namespace {

std::string piece(std::int32_t id, const Vocab* vocab) {
  if (vocab == nullptr) return std::to_string(id);
  if (id < 0 || static_cast<std::size_t>(id) >= vocab->size()) return "<" + std::to_string(id) + ">";
  return std::string(vocab->piece(id));
}

std::string segment(const Batch& batch, const ShardShape& shape, std::int8_t number, const Vocab* vocab) {
  std::string text;
  for (std::size_t i = 0; i < shape.seq_len; ++i) {
    if (batch.input_mask[i] == 0 || batch.segment_ids[i] != number) continue;
    text += " " + piece(batch.input_ids[i], vocab);
  }
  return text;
}

std::string masked(const Batch& batch, const ShardShape& shape, const Vocab* vocab) {
  std::string text;
  for (std::size_t i = 0; i < shape.max_predictions; ++i) {
    const std::int32_t position = batch.masked_lm_positions[i];
    if (position == 0) break;
    text += " " + std::to_string(position) + ":" + piece(batch.masked_lm_ids[i], vocab);
  }
  return text;
}

std::vector<std::int32_t> segment_ids_of(const Batch& batch, const ShardShape& shape, std::int8_t number) {
  std::vector<std::int32_t> ids;
  for (std::size_t i = 0; i < shape.seq_len; ++i) {
    if (batch.input_mask[i] != 0 && batch.segment_ids[i] == number) ids.push_back(batch.input_ids[i]);
  }
  return ids;
}

void add_tokens(const std::string& key, const std::vector<std::int32_t>& ids, const Vocab* vocab, JsonEvent& event) {
  event.numbers(key + "_ids", ids);
  if (vocab == nullptr) return;
  std::vector<std::string> pieces;
  for (const std::int32_t id : ids) pieces.push_back(piece(id, vocab));
  event.texts(key + "_pieces", pieces);
}

}  // namespace

void print_row_event(std::size_t row, const Batch& batch, const ShardShape& shape, const Vocab* vocab) {
  std::vector<std::int32_t> positions;
  std::vector<std::int32_t> originals;
  for (std::size_t i = 0; i < shape.max_predictions && batch.masked_lm_positions[i] != 0; ++i) {
    positions.push_back(batch.masked_lm_positions[i]);
    originals.push_back(batch.masked_lm_ids[i]);
  }
  JsonEvent event("row");
  event.number("row", row).number("next_sentence_label", batch.next_sentence_labels.front() != 0 ? 1 : 0);
  add_tokens("a", segment_ids_of(batch, shape, 0), vocab, event);
  add_tokens("b", segment_ids_of(batch, shape, 1), vocab, event);
  event.numbers("masked_positions", positions);
  add_tokens("masked", originals, vocab, event);
  event.print();
}

std::string row_text(const Batch& batch, const ShardShape& shape, const Vocab* vocab) {
  const bool random_next = batch.next_sentence_labels.front() != 0;
  return std::string("  next sentence: ") + (random_next ? "random (1)" : "the following (0)") +
         "\n  A:" + segment(batch, shape, 0, vocab) + "\n  B:" + segment(batch, shape, 1, vocab) +
         "\n  masked:" + masked(batch, shape, vocab) + "\n";
}

}  // namespace bertprep::cli
