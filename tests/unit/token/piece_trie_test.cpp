#include "token/piece_trie.h"

#include <gtest/gtest.h>

#include "twins/tokenizer.h"

namespace bertprep {
namespace {

std::vector<std::string> encode(const Vocab& vocab, std::string_view word) {
  std::vector<TokenId> ids(word.size() + 1);
  ids.resize(static_cast<std::size_t>(PieceTrie(vocab).encode(word, ids.data()) - ids.data()));
  return test::pieces(vocab, ids);
}

using Pieces = std::vector<std::string>;

TEST(PieceTrie, TakesTheLongestPieceFirst) {
  const Vocab vocab = test::make_vocab({"un", "unaff", "##aff", "##able", "##ff", "a"});
  EXPECT_EQ(encode(vocab, "unaffable"), (Pieces{"unaff", "##able"}));
  EXPECT_EQ(encode(vocab, "unaff"), (Pieces{"unaff"}));
  EXPECT_EQ(encode(vocab, "un"), (Pieces{"un"}));
}

TEST(PieceTrie, NeverStepsBack) {
  const Vocab vocab = test::make_vocab({"ab", "abc", "##cd"});
  EXPECT_EQ(encode(vocab, "abcd"), (Pieces{"[UNK]"}));
}

TEST(PieceTrie, KeepsStartsAndContinuationsApart) {
  const Vocab vocab = test::make_vocab({"a", "##b"});
  EXPECT_EQ(encode(vocab, "ab"), (Pieces{"a", "##b"}));
  EXPECT_EQ(encode(vocab, "b"), (Pieces{"[UNK]"}));
  EXPECT_EQ(encode(vocab, "aa"), (Pieces{"[UNK]"}));
}

TEST(PieceTrie, TakesHashSignsOfTheTextLiterally) {
  const Vocab vocab = test::make_vocab({"#", "##", "##b"});
  EXPECT_EQ(encode(vocab, "#"), (Pieces{"#"}));
  EXPECT_EQ(encode(vocab, "##"), (Pieces{"##"}));
  EXPECT_EQ(encode(vocab, "##b"), (Pieces{"##b"}));
}

TEST(PieceTrie, KnowsNothingWithoutPieces) {
  const Vocab vocab = test::make_vocab({});
  const std::string every_byte = [] {
    std::string bytes;
    for (int c = 0; c < 256; ++c) bytes += static_cast<char>(c);
    return bytes;
  }();
  for (const char c : every_byte) EXPECT_EQ(encode(vocab, std::string(1, c)), (Pieces{"[UNK]"}));
  EXPECT_EQ(encode(vocab, "[MASK]"), (Pieces{"[MASK]"}));
}

TEST(PieceTrie, HoldsPiecesAsLongAsAVocabulary) {
  const std::string piece(4096, 'x');
  const Vocab vocab = test::make_vocab({piece, "##y"});
  EXPECT_EQ(encode(vocab, piece + "y"), (Pieces{piece, "##y"}));
}

}  // namespace
}  // namespace bertprep
