// The folder of a WordPiece tokenizer as HuggingFace's programs load it: BertTokenizer by vocab.txt, AutoTokenizer and
// the fast ones by tokenizer.json and tokenizer_config.json.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "token/huggingface/tokenizer_folder.h"

namespace bertprep {

// How text is normalized before pieces are looked up.
struct WordPieceText {
  bool lower_case = true;
  bool strip_accents = true;
};

// `vocab` are the bytes of a vocabulary (docs/formats/vocabulary.md), `max_tokens` the longest row that the model
// accepts. Throws FormatError if a special piece is missing or a piece occurs twice.
std::vector<TokenizerFile> wordpiece_files(std::string_view vocab, const WordPieceText& cleaning,
                                           std::int64_t max_tokens);

}  // namespace bertprep
