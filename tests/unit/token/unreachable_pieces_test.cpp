#include "token/tokenizer_files.h"

#include <gtest/gtest.h>

namespace bertprep::test {
namespace {

UnreachablePieces found(const std::string& pieces, const TokenizerOptions& options) {
  return unreachable_pieces(Vocab::parse("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n[unused1]\n[Xy]\n" + pieces, "v.txt"),
                            options);
}

TEST(UnreachablePieces, AreThoseWithCapitalsAndAccents) {
  const std::string pieces = "a\n##b\nHe\n##llO\n\u00e9t\u00e9\n\u4E2D\n";
  const UnreachablePieces lower = found(pieces, {});
  EXPECT_EQ(lower.pieces, 3U);
  EXPECT_EQ(lower.of, 6U);
  EXPECT_EQ(lower.example, "##llO") << "the longest";
  EXPECT_FALSE(lower.are_many()) << "of six";
  EXPECT_EQ(found(pieces, {.lower_case = true, .strip_accents = AccentStripping::kNo}).pieces, 2U);
  EXPECT_EQ(found(pieces, {.lower_case = false, .strip_accents = AccentStripping::kYes}).pieces, 1U);
  EXPECT_EQ(found(pieces, {.lower_case = false}).pieces, 0U);
}

TEST(UnreachablePieces, AreNotManyUpToATwentieth) {
  std::string pieces = "A\n";
  for (int i = 0; i < 19; ++i) pieces += "a" + std::to_string(i) + "\n";
  EXPECT_FALSE(found(pieces, {}).are_many());
  EXPECT_TRUE(found(pieces + "B\n", {}).are_many());
  EXPECT_FALSE(found("", {}).are_many());
}

}  // namespace
}  // namespace bertprep::test
