// The files of a WordPiece tokenizer of HuggingFace's -> its pieces, and how it reads letters; and back.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/json.h"
#include "token/huggingface/tokenizer_folder.h"

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

// What the tokenizer_config.json beside the pieces says about letters. Throws FormatError that names what would give
// other ids than BERT's tokenizer: another class, other special pieces, CJK characters that are no words by themselves.
SaidText parse_wordpiece_config(const Json& json, const std::string& where);

// How letters are normalized before pieces are looked up.
struct Normalization {
  bool lower_case = true;
  bool strip_accents = true;
  bool operator==(const Normalization&) const = default;
};

// The folder as HuggingFace's programs load it: BertTokenizer by vocab.txt, AutoTokenizer and the fast ones by
// tokenizer.json and tokenizer_config.json. `vocab` are the bytes of a vocabulary (docs/formats/vocabulary.md),
// `max_tokens` the longest row that the model accepts. Throws FormatError if a special piece is missing or a piece
// occurs twice.
std::vector<TokenizerFile> wordpiece_files(std::string_view vocab, const Normalization& cleaning,
                                           std::int64_t max_tokens);

}  // namespace bertprep
