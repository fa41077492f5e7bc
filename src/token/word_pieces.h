// WordPieces: a normalized word -> its ids, from caches of recent words, for a lookup in one step, or the trie.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "token/bpe/byte_word_cache.h"
#include "token/piece_trie.h"
#include "unicode/code_points.h"

namespace bertprep {

// WordKey: a word of up to 16 bytes, padded with zeros. No word contains a NUL, so keys of different words differ.
struct WordKey {
  static constexpr std::size_t kBytes = 16;
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  std::uint64_t hash() const { return (low ^ high * 0x9E3779B97F4A7C15U) * 0xD6E8FEB86659FD93U; }
  // Without a branch: which of two keys matches is hard to predict.
  bool operator==(const WordKey& other) const { return ((low ^ other.low) | (high ^ other.high)) == 0; }
};

inline WordKey load_key(const char* bytes) {
  WordKey key;
  std::memcpy(&key.low, bytes, sizeof key.low);
  std::memcpy(&key.high, bytes + sizeof key.low, sizeof key.high);
  return key;
}

// Reduces 16 bytes of a text to the word that starts there, and lower-cases ASCII letters.
class KeyMasks {
 public:
  explicit KeyMasks(bool lower_case) {
    for (std::size_t length = 0; length <= WordKey::kBytes; ++length) {
      const std::string kept(length, '\xFF');
      // Sets bit 5: letters become lower case; digits have it already.
      const std::string added(lower_case ? length : 0, '\x20');
      masks_[length] = {padded_key(kept), padded_key(added)};
    }
    masks_[0].kept = padded_key("\xFF");
  }

  // The word of `length` ASCII letters and digits at `bytes`; length 0 means one unchanged byte.
  WordKey normalize_ascii(const char* bytes, std::size_t length) const {
    const WordKey key = load_key(bytes);
    const Mask& mask = masks_[length];
    return {(key.low & mask.kept.low) | mask.added.low, (key.high & mask.kept.high) | mask.added.high};
  }

  // The first `length` bytes, at least one, unchanged.
  WordKey cut(const char* bytes, std::size_t length) const {
    const WordKey key = load_key(bytes);
    const Mask& mask = masks_[length];
    return {key.low & mask.kept.low, key.high & mask.kept.high};
  }

 private:
  struct Mask {
    WordKey kept, added;
  };

  static WordKey padded_key(std::string_view bytes) {
    char padded[WordKey::kBytes] = {};
    std::memcpy(padded, bytes.data(), bytes.size());
    return load_key(padded);
  }

  std::array<Mask, WordKey::kBytes + 1> masks_;
};

class WordCache {
 public:
  static constexpr std::size_t kMaxPieces = 3;

  // Exactly 16 bytes, so that a hit copies all of it: the caller's array needs room for one id more than the pieces.
  struct Pieces {
    std::array<TokenId, kMaxPieces> ids;
    std::int32_t count;
  };

  WordCache() : sets_(kSets) {}

  // `key` must not be all zeros; nullptr if the word is not found.
  const Pieces* find(WordKey key) const {
    const Set& set = sets_[set_of(key)];
    // An index instead of a branch: which of the two matches is unpredictable.
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

// SpellingCache: words that the vocabulary spells in many pieces, in 512 KiB. Rare in the language of a vocabulary,
// common in any other and with small vocabularies. No key is all zeros.
using SpellingCache = ByteWordCache<WordKey, 11, 13>;

class WordPieces {
 public:
  static constexpr std::size_t kMaxCodePoints = 100;

  struct Caches {
    WordCache words;
    SpellingCache spellings;
  };

  WordPieces(const PieceTrie& trie, TokenId unk, Caches& caches) : trie_(trie), unk_(unk), caches_(caches) {}

  // All functions write the ids to `out` and return their end. `out` must have room for one id per code point of the
  // word, and for at least 4.
  TokenId* encode(WordKey key, TokenId* out) {
    const WordCache::Pieces* pieces = caches_.words.find(key);
    if (pieces == nullptr) [[unlikely]]
      return look_up(key, out);
    std::memcpy(out, pieces, sizeof *pieces);
    return out + pieces->count;
  }

  // For a word of any length; not cached.
  TokenId* encode(std::string_view word, TokenId* out) {
    if (word.size() > kMaxCodePoints && code_points(word) > kMaxCodePoints) {
      *out = unk_;
      return out + 1;
    }
    return trie_.encode(word, out);
  }

 private:
  static std::size_t code_points(std::string_view word) {
    return word.size() -
           static_cast<std::size_t>(std::count_if(word.begin(), word.end(), unicode::is_continuation_byte));
  }

  [[gnu::noinline]] TokenId* look_up(WordKey key, TokenId* out) {
    const auto spelling = caches_.spellings.find(key);
    if (!spelling.empty()) return std::copy(spelling.begin(), spelling.end(), out);
    char bytes[WordKey::kBytes + 1] = {};
    std::memcpy(bytes, &key.low, sizeof key.low);
    std::memcpy(bytes + sizeof key.low, &key.high, sizeof key.high);
    TokenId* const end = trie_.encode(std::string_view(bytes), out);
    remember(key, {out, end});
    return end;
  }

  void remember(WordKey key, std::span<const TokenId> ids) {
    if (ids.size() <= WordCache::kMaxPieces) {
      caches_.words.insert(key, ids);
    } else if (ids.size() <= SpellingCache::kIds) {
      caches_.spellings.insert(key, ids);
    }
  }

  const PieceTrie& trie_;
  TokenId unk_;
  Caches& caches_;
};

}  // namespace bertprep
