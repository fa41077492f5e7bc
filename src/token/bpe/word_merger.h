// WordMerger: the bytes of a word -> its ids. Of all pairs of neighbours that can be merged, the one of lowest rank,
// of these the leftmost, becomes one token, until there is none.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "token/bpe/merge_table.h"

namespace bertprep {

class WordMerger {
 public:
  // `byte_ids`: the token of each byte. Keeps references.
  WordMerger(const MergeTable& merges, const std::array<TokenId, 256>& byte_ids)
      : merges_(merges), byte_ids_(byte_ids) {}

  // Writes the ids to `out`, which has room for one a byte, and returns their end.
  TokenId* encode(std::string_view word, TokenId* out);

 private:
  // Up to here a search of all pairs for each merge is faster than keeping them sorted.
  static constexpr std::size_t kMostShort = 48;

  // A token of a long word; `rank` is that of its merge with the next.
  struct Node {
    TokenId id;
    std::uint32_t previous, next;
  };
  struct Candidate {
    std::uint32_t rank;
    std::uint32_t at;
    TokenId left, right, merged;
    // Of a heap, whose top is the largest.
    bool operator<(const Candidate& other) const { return rank != other.rank ? rank > other.rank : at > other.at; }
  };

  TokenId* encode_short(std::string_view word, TokenId* out) const;
  TokenId* encode_long(std::string_view word, TokenId* out);
  void add_candidate(std::uint32_t at);

  const MergeTable& merges_;
  const std::array<TokenId, 256>& byte_ids_;
  std::vector<Node> nodes_;
  std::vector<Candidate> candidates_;
};

}  // namespace bertprep
