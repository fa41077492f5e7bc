// WordCache: the pieces of words seen lately. Two words share a cache line; the older one makes room for a
// new one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "bertprep/token/vocab.h"
#include "token/word_key.h"

namespace bertprep {

class WordCache {
 public:
  static constexpr std::size_t kMaxPieces = 3;

  // Exactly 16 bytes, so that a hit copies it whole: the caller's array needs room for one id more than the
  // pieces.
  struct Pieces {
    std::array<TokenId, kMaxPieces> ids;
    std::int32_t count;
  };

  WordCache() : sets_(kSets) {}

  // Of a key that is not all zeros; nullptr when the word is not there.
  const Pieces* find(WordKey key) const {
    const Set& set = sets_[set_of(key)];
    // An index in place of a condition: which of the two it is can't be predicted.
    const std::size_t way = set.keys[1] == key ? 1 : 0;
    if (!(set.keys[way] == key)) return nullptr;
    return &set.pieces[way];
  }

  void insert(WordKey key, std::span<const TokenId> ids) {
    Set& set = sets_[set_of(key)];
    set.keys[1] = set.keys[0];
    set.pieces[1] = set.pieces[0];
    set.keys[0] = key;
    std::copy(ids.begin(), ids.end(), set.pieces[0].ids.begin());
    set.pieces[0].count = static_cast<std::int32_t>(ids.size());
  }

 private:
  static constexpr unsigned kSetBits = 15;  // 2 MiB
  static constexpr std::size_t kSets = std::size_t{1} << kSetBits;

  struct alignas(64) Set {
    std::array<WordKey, 2> keys;
    std::array<Pieces, 2> pieces;
  };

  static std::size_t set_of(WordKey key) { return static_cast<std::size_t>(key.hash() >> (64 - kSetBits)); }

  std::vector<Set> sets_;
};

}  // namespace bertprep
