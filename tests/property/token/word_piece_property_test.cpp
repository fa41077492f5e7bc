// The trie against plain look-ups, on every word of up to 6 letters of a 3-letter alphabet.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "token/piece_trie.h"
#include "twins/tokenizer.h"

namespace bertprep {
namespace {

constexpr std::size_t kMaxLetters = 6;

// "\u03b1" makes one of the letters two bytes long.
const std::vector<std::string> kAlphabet = {"a", "b", "\u03b1"};

std::vector<std::string> all_words() {
  std::vector<std::string> words = kAlphabet;
  for (std::size_t first = 0, letters = 1; letters < kMaxLetters; ++letters) {
    const std::size_t last = words.size();
    for (; first < last; ++first) {
      for (const std::string& letter : kAlphabet) words.push_back(words[first] + letter);
    }
  }
  return words;
}

Vocab random_vocab(std::mt19937& draws) {
  std::set<std::string> pieces;
  const std::size_t count = draws() % 25;
  while (pieces.size() < count) {
    std::string piece = draws() % 2 == 0 ? "" : "##";
    for (std::size_t letters = 1 + draws() % 4; letters > 0; --letters) piece += kAlphabet[draws() % 3];
    pieces.insert(piece);
  }
  return test::make_vocab({pieces.begin(), pieces.end()});
}

TEST(WordPieces, EqualLookUpsOnEverySmallWord) {
  const auto words = all_words();
  ASSERT_EQ(words.size(), 1092U);
  std::mt19937 draws(20);
  std::size_t split = 0;
  for (int round = 0; round < 60; ++round) {
    const Vocab vocab = random_vocab(draws);
    const PieceTrie trie(vocab);
    for (const std::string& word : words) {
      std::vector<TokenId> ids(word.size());
      ids.resize(static_cast<std::size_t>(trie.encode(word, ids.data()) - ids.data()));
      ASSERT_EQ(ids, test::plain_word_pieces(vocab, word)) << word;
      if (ids.size() > 1) ++split;
    }
  }
  EXPECT_GT(split, 1000U);
}

}  // namespace
}  // namespace bertprep
