#include "row_text.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>
#include <vector>

#include "console/json_event.h"

namespace bertprep::cli {
namespace {

constexpr const char* kPlain = "\033[0m";

// Colours of the terminal's own palette, so that they suit its background.
const char* colour_of(TokenPart part) {
  switch (part) {
    case TokenPart::kSpecial:
      return "\033[2m";
    case TokenPart::kMasked:
      return "\033[1;33m";
    case TokenPart::kReplaced:
      return "\033[1;35m";
    case TokenPart::kKept:
      return "\033[1;32m";
    case TokenPart::kText:
      break;
  }
  return "";
}

std::string coloured(const std::string& text, const char* colour, bool has_colours) {
  return has_colours && *colour != 0 ? colour + text + kPlain : text;
}

std::string segment(const ShownRow& row, std::int64_t number, bool has_colours) {
  std::string text;
  for (const ShownToken& token : row.tokens) {
    if (token.segment == number) text += " " + coloured(token.piece, colour_of(token.part), has_colours);
  }
  return text;
}

std::string masked(const ShownRow& row, bool has_colours) {
  std::string text;
  for (std::size_t i = 0; i < row.tokens.size(); ++i) {
    const ShownToken& token = row.tokens[i];
    if (token.original.empty()) continue;
    text += " " + std::to_string(i) + ":" + coloured(token.original, colour_of(token.part), has_colours);
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
  for (const std::int32_t id : ids) pieces.push_back(piece_text(id, vocab));
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

bool shows_colours() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string_view() : std::string_view(value);
  };
  return ::isatty(STDOUT_FILENO) == 1 && variable("TERM") != "dumb" && variable("NO_COLOR").empty();
}

ShownRow shown_row(const Batch& batch, const Vocab* vocab) {
  const auto widened = [](const auto& values) { return std::vector<std::int64_t>(values.begin(), values.end()); };
  const auto ids = widened(batch.input_ids);
  const auto mask = widened(batch.input_mask);
  const auto segments = widened(batch.segment_ids);
  const auto positions = widened(batch.masked_lm_positions);
  const auto originals = widened(batch.masked_lm_ids);
  const RowView view{ids, mask, segments, positions, originals, {}, batch.next_sentence_labels.front()};
  return shown_row(view, vocab, std::nullopt);
}

std::string row_text(const ShownRow& row, bool has_colours) {
  const std::string label = next_sentence_text(row.next_sentence.value_or(0));
  const char* colour = row.next_sentence == 1 ? "\033[35m" : "\033[32m";
  std::string text = "  next sentence: " + coloured(label, colour, has_colours) +
                     "\n  A:" + segment(row, 0, has_colours) + "\n  B:" + segment(row, 1, has_colours) +
                     "\n  masked:" + masked(row, has_colours) + "\n";
  if (has_colours && row.padding > 0) {
    text += coloured("  padding: " + std::to_string(row.padding), colour_of(TokenPart::kSpecial), true) + "\n";
  }
  return text;
}

}  // namespace bertprep::cli
