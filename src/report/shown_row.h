// ShownRow: a row taken apart for a reader: each token with its segment, and with what it stands for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bertprep/token/vocab.h"
#include "quality/row_view.h"

namespace bertprep {

// Tokens in front of the padding; all where nothing marks padding.
std::size_t tokens_of(const RowView& row);

// Calls take(position, original) for each token to predict, whichever columns tell of them. Positions may lie outside
// of the row.
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
  kMasked,    // to predict, behind [MASK]
  kReplaced,  // to predict, behind another token
  kKept,      // to predict, and there to be seen
};

struct ShownToken {
  std::string piece;     // as it stands in the row
  std::string original;  // of what is to be predicted
  TokenPart part = TokenPart::kText;
  std::int64_t segment = 0;
};

struct ShownRow {
  std::vector<ShownToken> tokens;
  std::size_t padding = 0;
  std::optional<std::int64_t> next_sentence;
};

// The piece of an id: "<40000>" where the vocabulary has none, the number itself without a vocabulary.
std::string piece_text(std::int64_t id, const Vocab* vocab);

// `mask` is the id of [MASK], if known: the vocabulary's own, else what RowFigures takes for it.
ShownRow shown_row(const RowView& row, const Vocab* vocab, std::optional<std::int64_t> mask);

// "random (1)", "the following (0)"; other labels as numbers.
std::string next_sentence_text(std::int64_t label);

// Rows as HTML: segments as blocks, and what is to be predicted in colours.

// `place` says which row it is: "x_training_0.hdf5: row 12". Tokens beyond the first 1,024 are counted alone.
std::string row_html(const ShownRow& row, const std::string& place);
// What the colours mean.
std::string row_key_html();

}  // namespace bertprep
