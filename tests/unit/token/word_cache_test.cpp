#include "token/word_pieces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>

namespace bertprep {
namespace {

WordKey key_of(const std::string& word) {
  char bytes[WordKey::kBytes] = {};
  word.copy(bytes, sizeof bytes);
  return load_key(bytes);
}

TEST(WordKey, CutsAndLowerCases) {
  const std::string text = "Hello[World]0123456789";
  EXPECT_EQ(KeyMasks(true).normalize_ascii(text.data(), 5), key_of("hello"));
  EXPECT_EQ(KeyMasks(false).normalize_ascii(text.data(), 5), key_of("Hello"));
  EXPECT_EQ(KeyMasks(true).normalize_ascii(text.data() + 5, 0), key_of("["));
  EXPECT_EQ(KeyMasks(true).cut(text.data(), 5), key_of("Hello"));
  EXPECT_EQ(KeyMasks(true).cut(text.data(), 16), key_of("Hello[World]0123"));
}

TEST(WordCache, FindsWhatItKept) {
  WordCache cache;
  EXPECT_EQ(cache.find(key_of("a")), nullptr);
  const TokenId ids[] = {7, 70000, 9};
  cache.insert(key_of("a"), ids);
  const auto* pieces = cache.find(key_of("a"));
  ASSERT_NE(pieces, nullptr);
  EXPECT_EQ(pieces->count, 3);
  EXPECT_THAT(pieces->ids, testing::ElementsAreArray(ids));
  EXPECT_EQ(cache.find(key_of("b")), nullptr);
}

TEST(WordCache, NeverMistakesOneWordForAnother) {
  WordCache cache;
  constexpr int kWords = 300000;
  std::size_t kept = 0;
  for (TokenId id = 0; id < kWords; ++id) {
    const TokenId ids[] = {id};
    cache.insert(key_of("w" + std::to_string(id)), ids);
  }
  for (TokenId id = 0; id < kWords; ++id) {
    const auto* pieces = cache.find(key_of("w" + std::to_string(id)));
    if (pieces == nullptr) continue;
    ++kept;
    ASSERT_EQ(pieces->ids[0], id);
    ASSERT_EQ(pieces->count, 1);
  }
  EXPECT_GT(kept, 10000U);
}

TEST(SpellingCache, FindsWhatItKept) {
  SpellingCache cache;
  EXPECT_TRUE(cache.find(key_of("word")).empty());
  std::vector<TokenId> ids(SpellingCache::kIds);
  std::iota(ids.begin(), ids.end(), 70000);
  cache.insert(key_of("word"), ids);
  EXPECT_THAT(cache.find(key_of("word")), testing::ElementsAreArray(ids));
  EXPECT_TRUE(cache.find(key_of("other")).empty());
}

TEST(SpellingCache, NeverMistakesOneWordForAnother) {
  SpellingCache cache;
  constexpr TokenId kWords = 50000;
  for (TokenId id = 0; id < kWords; ++id) cache.insert(key_of("w" + std::to_string(id)), std::vector{id, id, id, id});
  std::size_t kept = 0;
  for (TokenId id = 0; id < kWords; ++id) {
    const auto ids = cache.find(key_of("w" + std::to_string(id)));
    if (ids.empty()) continue;
    ++kept;
    ASSERT_THAT(ids, testing::ElementsAre(id, id, id, id));
  }
  EXPECT_GT(kept, 1000U);
}

}  // namespace
}  // namespace bertprep
