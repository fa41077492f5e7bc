// Arbitrary bytes as a vocabulary: refused with a FormatError, or every piece is found under its number, also by the
// trie.
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "bertprep/base/error.h"
#include "bertprep/token/vocab.h"
#include "token/piece_trie.h"

namespace {

using namespace bertprep;

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const Vocab& vocab) {
  const PieceTrie trie(vocab);
  for (const TokenId id : vocab.ids()) {
    const std::string_view piece = vocab.piece(id);
    require(vocab.find(piece) == id);
    if (piece.empty()) continue;
    std::vector<TokenId> ids(piece.size());
    require(trie.encode(piece, ids.data()) == ids.data() + 1 && ids[0] == id);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    check(Vocab::parse(bytes, "fuzz"));
  } catch (const FormatError&) {
  }
  return 0;
}
