#include "row_text.h"

#include <unistd.h>

#include <numeric>

#include "base/number_text.h"
#include "console/console.h"
#include "console/json_event.h"
#include "console/status_line.h"
#include "io/json.h"
#include "unicode/utf8_text.h"

namespace bertprep::cli {
namespace {

constexpr const char* kPlainText = "\033[0m";

// Colours of the terminal's own palette, so that they suit its background; in the order of TokenPart.
constexpr const char* kColours[] = {"", "\033[2m", "\033[1;33m", "\033[1;35m", "\033[1;32m"};
static_assert(std::size(kColours) == static_cast<std::size_t>(TokenPart::kKept) + 1);

const char* colour_of(TokenPart part) {
  return kColours[static_cast<std::size_t>(part)];
}

std::string coloured(const std::string& text, const char* colour, bool has_colours) {
  return has_colours && *colour != 0 ? colour + text + kPlainText : text;
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

std::string instance_text(const ShownRow& row, bool has_colours) {
  const std::string label = next_sentence_text(*row.next_sentence);
  const char* colour = row.next_sentence == 1 ? "\033[35m" : "\033[32m";
  return "  next sentence: " + coloured(label, colour, has_colours) + "\n  A:" + segment(row, 0, has_colours) +
         "\n  B:" + segment(row, 1, has_colours) + "\n  masked:" + masked(row, has_colours) + "\n";
}

// A bar before each line shows where it begins, and blanks at its start.
std::string sequence_text(const ShownRow& row, bool has_colours) {
  std::string text;
  for (const TextRun& run : text_runs(row, row.tokens.size())) {
    text += run.is_control ? coloured(run.text, colour_of(TokenPart::kSpecial), has_colours) : run.text;
  }
  replace_all(text, "\n", "\n  |");
  return "  " + counted(row.tokens.size(), "token") + "\n  |" + text + "\n";
}

std::vector<std::int32_t> segment_ids_of(const Batch& batch, const ShardShape& shape, std::int8_t number) {
  std::vector<std::int32_t> ids;
  for (std::size_t i = 0; i < shape.seq_len; ++i) {
    if (batch.input_mask[i] != 0 && batch.segment_ids[i] == number) ids.push_back(batch.input_ids[i]);
  }
  return ids;
}

// `prefix`: "a_" for "a_ids" and "a_pieces".
void add_tokens(const std::string& prefix, const std::vector<std::int32_t>& ids, const Vocab* vocab, JsonEvent& event) {
  event.numbers(prefix + "ids", ids);
  if (vocab == nullptr) return;
  std::vector<std::string> pieces;
  for (const std::int32_t id : ids) pieces.push_back(piece_text(id, vocab));
  event.texts(prefix + "pieces", pieces);
}

void add_instance(const Batch& batch, const ShardShape& shape, const Vocab* vocab, JsonEvent& event) {
  std::vector<std::int32_t> positions;
  std::vector<std::int32_t> originals;
  for (std::size_t i = 0; i < shape.max_predictions && batch.masked_lm_positions[i] != 0; ++i) {
    positions.push_back(batch.masked_lm_positions[i]);
    originals.push_back(batch.masked_lm_ids[i]);
  }
  event.number("next_sentence_label", batch.next_sentence_labels.front() != 0 ? 1 : 0);
  add_tokens("a_", segment_ids_of(batch, shape, 0), vocab, event);
  add_tokens("b_", segment_ids_of(batch, shape, 1), vocab, event);
  event.numbers("masked_positions", positions);
  add_tokens("masked_", originals, vocab, event);
}

void add_sequence(const InspectedRows& rows, JsonEvent& event) {
  event.numbers("ids", rows.ids());
  const std::vector<std::string> pieces = rows.pieces();
  if (rows.has_words() && !rows.are_text()) event.texts("pieces", pieces);
  if (rows.are_text()) event.text("text", std::accumulate(pieces.begin(), pieces.end(), std::string()));
}

}  // namespace

void print_row_event(std::size_t row, const InspectedRows& rows) {
  JsonEvent event("row");
  event.number("row", row);
  if (rows.content() == RowContent::kInstances) {
    add_instance(rows.batch(), rows.shape(), rows.vocab(), event);
  } else {
    add_sequence(rows, event);
  }
  event.print();
}

std::string row_text(const ShownRow& row, bool has_colours) {
  std::string text = row.is_text         ? sequence_text(row, has_colours)
                     : row.next_sentence ? instance_text(row, has_colours)
                                         : "  tokens:" + segment(row, 0, has_colours) + "\n";
  if (has_colours && row.padding > 0) {
    text += coloured("  padding: " + std::to_string(row.padding), colour_of(TokenPart::kSpecial), true) + "\n";
  }
  return text;
}

}  // namespace bertprep::cli
