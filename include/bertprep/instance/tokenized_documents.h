// TokenizedDocuments: the token ids of one text shard, document by document and sentence by sentence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bertprep/token/token_id.h"

namespace bertprep {

// Sentence s is ids[sentence_begin[s] .. sentence_begin[s + 1]), at least one token. Document d is the
// sentences document_begin[d] .. document_begin[d + 1], at least one. Both offset lists end with the total.
struct TokenizedDocuments {
  std::vector<TokenId> ids;
  std::vector<std::uint64_t> sentence_begin{0};
  std::vector<std::uint64_t> document_begin{0};

  std::size_t documents() const { return document_begin.size() - 1; }
  std::size_t sentences() const { return sentence_begin.size() - 1; }
  std::size_t tokens() const { return ids.size(); }
};

}  // namespace bertprep
