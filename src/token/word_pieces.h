// WordPieces: a normalized word -> its ids, from the cache or the trie.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>

#include "bertprep/token/vocab.h"
#include "token/piece_trie.h"
#include "token/word_cache.h"
#include "unicode/code_points.h"

namespace bertprep {

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
    } else if (ids.size() <= SpellingCache::kMaxPieces) {
      caches_.spellings.insert(key, ids);
    }
  }

  const PieceTrie& trie_;
  TokenId unk_;
  Caches& caches_;
};

}  // namespace bertprep
