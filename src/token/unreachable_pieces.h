// The pieces that no text gives: those with capitals where text is turned into lower case, and with accents where these
// are stripped. A vocabulary with many was made for other text.
#pragma once

#include <cstdint>
#include <string>

#include "bertprep/token/tokenizer.h"

namespace bertprep {

struct UnreachablePieces {
  std::uint64_t pieces = 0;
  std::uint64_t of = 0;  // those in brackets, as [CLS] and [unused1], don't count
  std::string example{};

  // So many that the vocabulary is for text that is read otherwise. A vocabulary of a few pieces tells nothing.
  bool are_many() const { return of >= 20 && 20 * pieces > of; }
};

UnreachablePieces unreachable_pieces(const Vocab& vocab, const TokenizerOptions& options);

}  // namespace bertprep
