#include "token/unreachable_pieces.h"

#include "token/token_words.h"
#include "unicode/code_points.h"

namespace bertprep {
namespace {

bool is_in_brackets(std::string_view piece) {
  return piece.size() > 2 && piece.starts_with('[') && piece.ends_with(']');
}

}  // namespace

UnreachablePieces unreachable_pieces(const Vocab& vocab, const TokenizerOptions& options) {
  const Normalization normalization = normalization_of(options);
  UnreachablePieces found;
  std::size_t shown = 0;
  for (const TokenId id : vocab.ids()) {
    std::string_view piece = vocab.piece(id);
    if (piece.empty() || is_in_brackets(piece)) continue;
    if (piece.starts_with("##") && piece.size() > 2) piece.remove_prefix(2);
    ++found.of;
    const std::u32string letters = unicode::decode(piece);
    if (normalize(letters, normalization) == letters) continue;
    ++found.pieces;
    // A word tells more than a letter.
    if (shown >= 4 || letters.size() <= shown) continue;
    shown = letters.size();
    found.example = vocab.piece(id);
  }
  return found;
}

}  // namespace bertprep
