#include "token/bpe/word_merger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "twins/byte_pairs.h"

namespace bertprep {
namespace {

class Merger {
 public:
  explicit Merger(const BytePairModel& model) : twin_(model), table_(model.merges) {
    for (std::size_t byte = 0; byte < 256; ++byte) byte_ids_[byte] = static_cast<TokenId>(byte);
  }

  void expect_as_twin(const std::string& word) {
    std::vector<TokenId> ids(word.size());
    ids.resize(static_cast<std::size_t>(merger_.encode(word, ids.data()) - ids.data()));
    ASSERT_EQ(ids, twin_.merged(word)) << word;
  }

 private:
  test::PlainBytePairs twin_;
  MergeTable table_;
  std::array<TokenId, 256> byte_ids_{};
  WordMerger merger_{table_, byte_ids_};
};

// Merges of random tokens in random order: a good merge may depend on a worse one.
BytePairModel random_model(std::mt19937& draws) {
  std::vector<std::string> tokens = {"a", "b", "c"}, merges;
  for (std::size_t count = draws() % 30; count > 0; --count) {
    const std::string left = tokens[draws() % tokens.size()], right = tokens[draws() % tokens.size()];
    const std::string merge = left + " " + right;
    if (left.size() + right.size() > 12 || std::find(merges.begin(), merges.end(), merge) != merges.end()) continue;
    merges.push_back(merge);
    tokens.push_back(left + right);
  }
  BytePairModel model = test::make_byte_pairs(merges);
  std::shuffle(model.merges.begin(), model.merges.end(), draws);
  return model;
}

std::string random_word(std::mt19937& draws, std::size_t most) {
  std::string word;
  for (std::size_t letters = 1 + draws() % most; letters > 0; --letters) word += static_cast<char>('a' + draws() % 3);
  return word;
}

TEST(WordMerger, MergesTheLowestPairFromTheLeft) {
  const BytePairModel model = test::make_byte_pairs({"a a", "b a", "aa a"});
  Merger merger(model);
  for (const std::string word : {"a", "aa", "aaa", "aaaa", "aaaaa", "baa", "abaab"}) merger.expect_as_twin(word);
}

TEST(WordMerger, EqualsItsTwinOnEverySmallWord) {
  std::mt19937 draws(1);
  for (int round = 0; round < 30; ++round) {
    const BytePairModel model = random_model(draws);
    Merger merger(model);
    for (std::size_t letters = 1, count = 3; letters <= 6; ++letters, count *= 3) {
      for (std::size_t number = 0; number < count; ++number) {
        std::string word;
        for (std::size_t i = 0, rest = number; i < letters; ++i, rest /= 3) word += static_cast<char>('a' + rest % 3);
        ASSERT_NO_FATAL_FAILURE(merger.expect_as_twin(word));
      }
    }
  }
}

TEST(WordMerger, EqualsItsTwinOnLongWords) {
  std::mt19937 draws(2);
  for (int round = 0; round < 60; ++round) {
    const BytePairModel model = random_model(draws);
    Merger merger(model);
    for (int words = 0; words < 20; ++words) {
      ASSERT_NO_FATAL_FAILURE(merger.expect_as_twin(random_word(draws, 150)));
      ASSERT_NO_FATAL_FAILURE(merger.expect_as_twin(std::string(1 + draws() % 150, 'a')));
    }
  }
}

}  // namespace
}  // namespace bertprep
