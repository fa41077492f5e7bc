// WordMerger: the bytes of a word -> its ids. Repeatedly merges the neighbouring pair of lowest rank, the leftmost of
// equals, until no pair can be merged.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "token/bpe/byte_pair_model.h"

namespace bertprep {

// MergeTable: two neighbouring tokens -> the rank of their merge and the result.
class MergeTable {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  struct Rank {
    std::uint32_t rank = kNone;  // from 0, the best
    TokenId merged = 0;
  };

  // The pairs of `merges` must differ.
  explicit MergeTable(std::span<const Merge> merges) {
    std::size_t slots = 16;
    while (slots < merges.size() * 2) slots *= 2;
    slots_.resize(slots);
    mask_ = slots - 1;
    std::uint32_t rank = 0;
    for (const Merge& merge : merges) {
      const std::uint64_t key = key_of(merge.left, merge.right);
      std::size_t at = hash(key);
      while (slots_[at].key != kEmpty) at = (at + 1) & mask_;
      slots_[at] = {key, {rank++, merge.merged}};
    }
  }

  // Rank kNone if they don't merge.
  Rank find(TokenId left, TokenId right) const {
    const std::uint64_t key = key_of(left, right);
    for (std::size_t at = hash(key);; at = (at + 1) & mask_) {
      if (slots_[at].key == key) return slots_[at].rank;
      if (slots_[at].key == kEmpty) return {};
    }
  }

 private:
  static constexpr std::uint64_t kEmpty = std::numeric_limits<std::uint64_t>::max();

  struct Slot {
    std::uint64_t key = kEmpty;
    Rank rank;
  };

  static std::uint64_t key_of(TokenId left, TokenId right) {
    return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint32_t>(right);
  }
  std::size_t hash(std::uint64_t key) const {
    return static_cast<std::size_t>((key ^ key >> 29) * 0x9E3779B97F4A7C15U >> 24) & mask_;
  }

  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
};

class WordMerger {
 public:
  // `byte_ids`: the token of each byte. Keeps references.
  WordMerger(const MergeTable& merges, const std::array<TokenId, 256>& byte_ids)
      : merges_(merges), byte_ids_(byte_ids) {}

  // Writes the ids to `out`, which must have room for one per byte, and returns their end.
  TokenId* encode(std::string_view word, TokenId* out);

 private:
  // Up to this length, a search of all pairs for each merge is faster than keeping them sorted.
  static constexpr std::size_t kMaxShortBytes = 48;

  // A token of a long word; `rank` is that of its merge with the next.
  struct Node {
    TokenId id;
    std::uint32_t previous, next;
  };
  struct Candidate {
    std::uint32_t rank;
    std::uint32_t at;
    TokenId left, right, merged;
    // For a heap whose top is the largest.
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
