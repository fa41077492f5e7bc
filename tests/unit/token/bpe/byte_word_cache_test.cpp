#include "token/bpe/byte_word_cache.h"

#include <gtest/gtest.h>

#include <string>

namespace bertprep {
namespace {

using Cache = ByteWordCache<ByteKey<2>, 3, 4>;

Cache::Key key_of(const std::string& word) {
  return Cache::Key::cut((word + std::string(16, 'z')).data(), word.size());
}

TEST(ByteWordCache, WordsOfZerosDiffer) {
  EXPECT_FALSE(key_of("a") == key_of(std::string("a\0", 2)));
  EXPECT_FALSE(key_of(std::string(1, '\0')) == key_of(std::string(2, '\0')));
  EXPECT_TRUE(key_of("123456789012345") == key_of("123456789012345"));
  EXPECT_FALSE(key_of("123456789012345") == key_of("123456789012346"));
}

TEST(ByteWordCache, FindsItsEntries) {
  Cache cache;
  TokenId out[Cache::kIds];
  EXPECT_EQ(cache.find(key_of("word"), out), nullptr);
  cache.insert(key_of("word"), std::vector<TokenId>{7, 8});
  ASSERT_EQ(cache.find(key_of("word"), out), out + 2);
  EXPECT_EQ(out[0], 7);
  EXPECT_EQ(out[1], 8);
  for (int i = 0; i < 1000; ++i) cache.insert(key_of(std::to_string(i)), std::vector<TokenId>{i});
  EXPECT_EQ(cache.find(key_of("word"), out), nullptr);
  ASSERT_EQ(cache.find(key_of("999"), out), out + 1);
  EXPECT_EQ(out[0], 999);
}

}  // namespace
}  // namespace bertprep
