#include "token/word_cache.h"

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

TEST(SpellingCache, FindsWhatItKept) {
  SpellingCache cache;
  EXPECT_TRUE(cache.find(key_of("word")).empty());
  std::vector<TokenId> ids(SpellingCache::kMaxPieces);
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
