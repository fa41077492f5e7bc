// ByteWordCache: recent words with their ids, for a lookup in one step.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "bertprep/token/vocab.h"

namespace bertprep {

// A word of up to kWords * 8 - 1 bytes, padded with zeros, and its length in the last byte: words may contain zeros.
template <std::size_t kWords>
struct ByteKey {
  static constexpr std::size_t kMaxBytes = kWords * 8 - 1;
  std::array<std::uint64_t, kWords> parts{};

  // The key of the first `length` bytes at `at`; kWords * 8 bytes must be readable.
  static ByteKey cut(const char* at, std::size_t length) {
    static constexpr auto kMasks = [] {
      std::array<std::array<std::uint64_t, kWords>, kMaxBytes + 1> masks{};
      for (std::size_t bytes = 0; bytes <= kMaxBytes; ++bytes) {
        for (std::size_t i = 0; i < bytes; ++i) masks[bytes][i / 8] |= std::uint64_t{0xFF} << (i % 8 * 8);
      }
      return masks;
    }();
    ByteKey key;
    std::memcpy(key.parts.data(), at, sizeof key.parts);
    for (std::size_t i = 0; i < kWords; ++i) key.parts[i] &= kMasks[length][i];
    key.parts.back() |= static_cast<std::uint64_t>(length) << 56;
    return key;
  }

  std::uint64_t hash() const {
    std::uint64_t hash = parts[0];
    for (std::size_t i = 1; i < kWords; ++i) hash = (hash ^ hash >> 32) * 0x9E3779B97F4A7C15U ^ parts[i];
    return (hash ^ hash >> 32) * 0xD6E8FEB86659FD93U;
  }
  // Without a branch for each part.
  bool operator==(const ByteKey& other) const {
    std::uint64_t difference = 0;
    for (std::size_t i = 0; i < kWords; ++i) difference |= parts[i] ^ other.parts[i];
    return difference == 0;
  }
};

// One line for each of 2^kLineBits slots; a new word replaces an older one.
template <class CacheKey, std::size_t kMaxIds, unsigned kLineBits>
class ByteWordCache {
 public:
  using Key = CacheKey;
  static constexpr std::size_t kIds = kMaxIds;

  ByteWordCache() : lines_(std::size_t{1} << kLineBits) {}

  // Empty if the word is not found.
  std::span<const TokenId> find(const Key& key) const {
    const Line& line = lines_[line_of(key)];
    return line.key == key ? std::span(line.ids).first(line.count) : std::span<const TokenId>();
  }

  // A hit writes kMaxIds ids to `out`, of which those before the returned end are valid; nullptr if the word is not
  // found.
  TokenId* find(const Key& key, TokenId* out) const {
    const Line& line = lines_[line_of(key)];
    if (!(line.key == key)) return nullptr;
    std::memcpy(out, line.ids.data(), sizeof line.ids);
    return out + line.count;
  }

  // For up to kMaxIds ids.
  void insert(const Key& key, std::span<const TokenId> ids) {
    Line& line = lines_[line_of(key)];
    line.key = key;
    line.count = static_cast<std::uint32_t>(ids.size());
    std::copy(ids.begin(), ids.end(), line.ids.begin());
  }

 private:
  struct alignas(sizeof(Key) + sizeof(TokenId) * (kMaxIds + 1)) Line {
    Key key;
    std::array<TokenId, kMaxIds> ids{};
    std::uint32_t count = 0;
  };

  static std::size_t line_of(const Key& key) { return static_cast<std::size_t>(key.hash() >> (64 - kLineBits)); }

  std::vector<Line> lines_;
};

}  // namespace bertprep
