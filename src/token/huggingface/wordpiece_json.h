// A WordPiece tokenizer.json of HuggingFace's tokenizers -> its pieces, and how it reads letters.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/json.h"

namespace bertprep {

inline constexpr std::array<std::string_view, 5> kBertPieces = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};

// What the files of a tokenizer say about letters; nothing: they don't say it.
struct SaidText {
  std::optional<bool> lower_case{};
  std::optional<bool> strip_accents{};
  std::string by{};  // the file
};

struct WordPieceTokenizer {
  std::vector<std::string> pieces;  // by id
  SaidText text;
};

// Whether it is a tokenizer.json of a WordPiece model, whatever its other parts. Old files name no type.
bool is_wordpiece_json(const Json& json);

// Throws FormatError that names the part, and its value, if one would give other ids than BERT's tokenizer: another
// normalizer, pre-tokenizer or prefix, added tokens besides the five special pieces, ids with gaps.
WordPieceTokenizer parse_wordpiece_json(const Json& json, const std::string& where);

}  // namespace bertprep
