// ShownRow: a row prepared for display: each token with its segment and its original.
#pragma once

#include "bertprep/shard/schema.h"
#include "quality/row_view.h"
#include "token/token_spelling.h"

namespace bertprep {

// Tokens before the padding; all if no padding is marked.
std::size_t tokens_of(const RowView& row);

// Calls take(position, original) for each token to predict, from whichever columns have them. Positions may be outside
// the row.
template <class Take>
void for_each_prediction(const RowView& row, Take&& take) {
  for (std::size_t i = 0; i < row.positions.size() && row.positions[i] != 0; ++i) {
    take(row.positions[i], i < row.masked_ids.size() ? row.masked_ids[i] : std::int64_t{-1});
  }
  for (std::size_t i = 0; i < row.labels.size(); ++i) {
    if (row.labels[i] >= 0) take(static_cast<std::int64_t>(i), row.labels[i]);
  }
}

enum class TokenPart {
  kText,
  kSpecial,   // [CLS], [SEP] and [PAD]
  kMasked,    // to predict, replaced by [MASK]
  kReplaced,  // to predict, replaced by another token
  kKept,      // to predict, unchanged
};

struct ShownToken {
  std::string piece;     // as in the row
  std::string original;  // of the token to predict
  TokenPart part = TokenPart::kText;
  std::int64_t segment = 0;
};

struct ShownRow {
  std::vector<ShownToken> tokens;
  std::size_t padding = 0;
  std::optional<std::int64_t> next_sentence;
  bool is_text = false;  // pieces are bytes of text, white space included
};

// The piece of an id: "<40000>" if the vocabulary has none, the number itself without a vocabulary.
std::string piece_text(std::int64_t id, const Vocab* vocab);

// `mask` is the id of [MASK], if known: the vocabulary's, else the guess of RowFigures.
ShownRow shown_row(const RowView& row, const Vocab* vocab, std::optional<std::int64_t> mask);

// The same for the row of `batch`, which must have exactly one.
ShownRow shown_row(const Batch& batch, const Vocab* vocab);

// The same for a row without predictions, as the text that its ids spell.
ShownRow shown_row(const RowView& row, const TokenSpelling& spelling);

// The text of such a row, parted at control tokens, which are runs of their own. At most `tokens` of it.
struct TextRun {
  std::string text;  // as visible_text() says
  bool is_control = false;
};
std::vector<TextRun> text_runs(const ShownRow& row, std::size_t tokens);

// "random (1)", "the following (0)"; other labels as numbers.
std::string next_sentence_text(std::int64_t label);

// Rows as HTML: segments as blocks, and tokens to predict in colour.

// `place` names the row: "x_training_0.hdf5: row 12". Tokens beyond the first 1,024 are only counted.
std::string row_html(const ShownRow& row, const std::string& place);
// The legend of the colours.
std::string row_key_html();

}  // namespace bertprep
