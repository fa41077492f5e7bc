// SpellingCache: the words that the vocabulary has to spell out in many pieces. Rare in the language of a
// vocabulary, common in any other and with small vocabularies.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bertprep/token/vocab.h"
#include "token/word_key.h"

namespace bertprep {

class SpellingCache {
 public:
  static constexpr std::size_t kMaxPieces = 11;

  SpellingCache() : lines_(kLines) {}

  // Of a key that is not all zeros; empty when the word is not there.
  std::span<const TokenId> find(WordKey key) const {
    const Line& line = lines_[line_of(key)];
    if (!(line.key == key)) return {};
    return {line.ids.data(), line.count};
  }

  void insert(WordKey key, std::span<const TokenId> ids) {
    Line& line = lines_[line_of(key)];
    line.key = key;
    line.count = static_cast<std::uint32_t>(ids.size());
    std::copy(ids.begin(), ids.end(), line.ids.begin());
  }

 private:
  static constexpr unsigned kLineBits = 13;  // 512 KiB
  static constexpr std::size_t kLines = std::size_t{1} << kLineBits;

  struct alignas(64) Line {
    WordKey key;
    std::uint32_t count;
    std::array<TokenId, kMaxPieces> ids;
  };

  static std::size_t line_of(WordKey key) { return static_cast<std::size_t>(key.hash() >> (64 - kLineBits)); }

  std::vector<Line> lines_;
};

}  // namespace bertprep
