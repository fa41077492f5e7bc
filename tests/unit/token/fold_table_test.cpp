#include "token/fold_table.h"

#include <gtest/gtest.h>

#include "token/token_words.h"
#include "unicode/code_points.h"

namespace bertprep {
namespace {

using Action = FoldTable::Action;

std::string_view replacement(const FoldTable& table, char32_t c) {
  return {table.replacement(table[c]), table[c].length};
}

TEST(FoldTable, ReplacesLettersOneByOne) {
  const FoldTable table(true);
  EXPECT_EQ(table[U'a'].action, Action::Letter);
  EXPECT_FALSE(table[U'a'].is_replaced);
  EXPECT_EQ(replacement(table, U'A'), "a");
  EXPECT_EQ(replacement(table, U'\u00C9'), "e");
  EXPECT_EQ(replacement(table, U'\u0419'), "\u0438");
  EXPECT_EQ(replacement(table, U'\uD55C'), "\u1112\u1161\u11ab");
  EXPECT_EQ(replacement(table, U'\u0301'), "");
  EXPECT_TRUE(table[U'\u0301'].is_replaced);
}

TEST(FoldTable, KnowsWhatStandsAlone) {
  const FoldTable table(true);
  EXPECT_EQ(table[U'!'].action, Action::Lone);
  EXPECT_EQ(table[U'\u2260'].action, Action::Lone);
  EXPECT_EQ(replacement(table, U'\u2260'), "=");
  EXPECT_EQ(table[U'\u4E2D'].action, Action::Cjk);
  EXPECT_EQ(replacement(table, U'\uF900'), "\u8C48");
  EXPECT_EQ(table[U'\u3042'].action, Action::Letter);
}

TEST(FoldTable, KnowsWhatNeedsItsNeighbours) {
  const FoldTable table(true);
  EXPECT_EQ(table[U'\u03A3'].action, Action::InContext);
  EXPECT_EQ(table[U'\U0001D165'].action, Action::InContext);
  EXPECT_EQ(FoldTable(false)[U'\u03A3'].action, Action::Letter);
}

TEST(FoldTable, CleansAlikeInBothModes) {
  for (const bool lower_case : {true, false}) {
    const FoldTable table(lower_case);
    for (const char32_t c : {U'\0', U'\x0B', U'\x7F', U'\u0085', U'\u200B', U'\uFFFD', U'\uE000', U'\u0378'}) {
      EXPECT_EQ(table[c].action, Action::Drop) << static_cast<unsigned>(c);
    }
    for (const char32_t c : {U' ', U'\t', U'\n', U'\r', U'\u00A0', U'\u2028', U'\u2029', U'\u3000'}) {
      EXPECT_EQ(table[c].action, Action::Space) << static_cast<unsigned>(c);
    }
  }
}

TEST(FoldTable, CleansEveryCharacterAsTheReferenceDoes) {
  const FoldTable table(false);
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    const CharacterKind kind = character_kind(c);
    ASSERT_EQ(table[c].action == Action::Drop, kind == CharacterKind::Dropped) << static_cast<unsigned>(c);
    ASSERT_EQ(table[c].action == Action::Space, kind == CharacterKind::Space) << static_cast<unsigned>(c);
    ASSERT_EQ(table[c].action == Action::Cjk, kind == CharacterKind::Cjk) << static_cast<unsigned>(c);
  }
}

// The tokenizer's buffer has room for one id a byte of text.
TEST(FoldTable, NoCharacterFoldsToMoreCharactersThanItHasBytes) {
  const FoldTable table(true);
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    const std::u32string one(1, c);
    ASSERT_LE(fold(one).size(), unicode::encode(one).size()) << static_cast<unsigned>(c);
    ASSERT_LE(table[c].length, FoldTable::kMaxReplacementBytes) << static_cast<unsigned>(c);
  }
}

}  // namespace
}  // namespace bertprep
