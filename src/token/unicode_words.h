// UnicodeWords: tokenizes text that is not plain ASCII, character by character.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/token/vocab.h"
#include "token/normalize_table.h"
#include "token/word_cache.h"
#include "token/word_pieces.h"

namespace bertprep {

class UnicodeWords {
 public:
  UnicodeWords(NormalizeTable& normalize, const KeyMasks& masks, Normalization normalization, WordPieces& pieces)
      : normalize_(normalize), masks_(masks), normalization_(normalization), pieces_(pieces) {}

  // Encodes from `at`, the start of a white-space token, to an ASCII white space after which plain ASCII may follow, or
  // to `end`; returns the position. Writes the ids from `out` on and moves it to their end; `out` must have room for
  // one id per byte of the text and 4 more.
  const char* encode(const char* at, const char* end, TokenId*& out);

 private:
  // Longer words are always [UNK], so that the buffer need not grow.
  static constexpr std::size_t kMaxWordBytes = 4 * WordPieces::kMaxCodePoints;

  void add(const char* bytes, std::size_t length);
  void end_word(TokenId*& out);
  void add_lone(const NormalizeTable::Entry& entry, const char* bytes, std::size_t length, TokenId*& out);
  std::u32string cleaned_token(const char*& at, const char* end);
  bool take_special_piece(const char*& at, const char* token, const char* end, TokenId*& out);
  void encode_in_context(const char*& at, const char* token, const char* end, TokenId*& out);

  NormalizeTable& normalize_;
  const KeyMasks& masks_;
  Normalization normalization_;
  WordPieces& pieces_;
  char word_[kMaxWordBytes + NormalizeTable::kMaxReplacementBytes + 4];
  std::size_t word_bytes_ = 0;
};

}  // namespace bertprep
