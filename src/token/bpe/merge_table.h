// MergeTable: two neighbouring tokens -> the rank of their merge and what they become.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "token/bpe/byte_pair_model.h"

namespace bertprep {

class MergeTable {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  struct Rank {
    std::uint32_t rank = kNone;  // from 0, the best
    TokenId merged = 0;
  };

  // The pairs of `merges` differ.
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

  // Rank kNone where they are not merged.
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

}  // namespace bertprep
