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

using TriePieces = std::vector<std::string>;

TEST(PieceTrie, TakesTheLongestPieceFirst) {
  const Vocab vocab = test::make_vocab({"un", "unaff", "##aff", "##able", "##ff", "a"});
  EXPECT_EQ(encode(vocab, "unaffable"), (TriePieces{"unaff", "##able"}));
  EXPECT_EQ(encode(vocab, "unaff"), (TriePieces{"unaff"}));
  EXPECT_EQ(encode(vocab, "un"), (TriePieces{"un"}));
}

TEST(PieceTrie, NeverStepsBack) {
  const Vocab vocab = test::make_vocab({"ab", "abc", "##cd"});
  EXPECT_EQ(encode(vocab, "abcd"), (TriePieces{"[UNK]"}));
}

TEST(PieceTrie, KeepsStartsAndContinuationsApart) {
  const Vocab vocab = test::make_vocab({"a", "##b"});
  EXPECT_EQ(encode(vocab, "ab"), (TriePieces{"a", "##b"}));
  EXPECT_EQ(encode(vocab, "b"), (TriePieces{"[UNK]"}));
  EXPECT_EQ(encode(vocab, "aa"), (TriePieces{"[UNK]"}));
}

TEST(PieceTrie, TakesHashSignsOfTheTextLiterally) {
  const Vocab vocab = test::make_vocab({"#", "##", "##b"});
  EXPECT_EQ(encode(vocab, "#"), (TriePieces{"#"}));
  EXPECT_EQ(encode(vocab, "##"), (TriePieces{"##"}));
  EXPECT_EQ(encode(vocab, "##b"), (TriePieces{"##b"}));
}

TEST(PieceTrie, KnowsNothingWithoutPieces) {
  const Vocab vocab = test::make_vocab({});
  const std::string every_byte = [] {
    std::string bytes;
    for (int c = 0; c < 256; ++c) bytes += static_cast<char>(c);
    return bytes;
  }();
  for (const char c : every_byte) EXPECT_EQ(encode(vocab, std::string(1, c)), (TriePieces{"[UNK]"}));
  EXPECT_EQ(encode(vocab, "[MASK]"), (TriePieces{"[MASK]"}));
}

TEST(PieceTrie, HoldsPiecesAsLongAsAVocabulary) {
  const std::string piece(4096, 'x');
  const Vocab vocab = test::make_vocab({piece, "##y"});
  EXPECT_EQ(encode(vocab, piece + "y"), (TriePieces{piece, "##y"}));
}

}  // namespace
}  // namespace bertprep
