#include "token/normalize_table.h"

#include <gtest/gtest.h>

#include "token/token_words.h"
#include "unicode/code_points.h"

namespace bertprep {
namespace {

using Action = NormalizeTable::Action;

constexpr Normalization kUncasedTable{true, true}, kCasedTable{false, false}, kMarksKept{true, false},
    kMarksStripped{false, true};

std::string_view replacement(NormalizeTable& table, char32_t c) {
  return {table.replacement(table[c]), table[c].length};
}

TEST(NormalizeTable, ReplacesLettersOneByOne) {
  NormalizeTable table(kUncasedTable);
  EXPECT_EQ(table[U'a'].action, Action::Letter);
  EXPECT_FALSE(table[U'a'].is_replaced);
  EXPECT_EQ(replacement(table, U'A'), "a");
  EXPECT_EQ(replacement(table, U'\u00C9'), "e");
  EXPECT_EQ(replacement(table, U'\u0419'), "\u0438");
  EXPECT_EQ(replacement(table, U'\uD55C'), "\u1112\u1161\u11ab");
  EXPECT_EQ(replacement(table, U'\u0301'), "");
  EXPECT_TRUE(table[U'\u0301'].is_replaced);
}

TEST(NormalizeTable, KnowsWhatStandsAlone) {
  NormalizeTable table(kUncasedTable);
  EXPECT_EQ(table[U'!'].action, Action::Lone);
  EXPECT_EQ(table[U'\u2260'].action, Action::Lone);
  EXPECT_EQ(replacement(table, U'\u2260'), "=");
  EXPECT_EQ(table[U'\u4E2D'].action, Action::Cjk);
  EXPECT_EQ(replacement(table, U'\uF900'), "\u8C48");
  EXPECT_EQ(table[U'\u3042'].action, Action::Letter);
}

TEST(NormalizeTable, KnowsWhatNeedsItsNeighbours) {
  NormalizeTable table(kUncasedTable);
  EXPECT_EQ(table[U'\u03A3'].action, Action::InContext);
  EXPECT_EQ(table[U'\U0001D165'].action, Action::InContext);
  EXPECT_EQ(NormalizeTable(kCasedTable)[U'\u03A3'].action, Action::Letter);
}

TEST(NormalizeTable, NormalizesCaseAndMarksApart) {
  NormalizeTable kept(kMarksKept), stripped(kMarksStripped);
  EXPECT_EQ(replacement(kept, U'\u00C9'), "\u00E9");
  EXPECT_FALSE(kept[U'\u0301'].is_replaced);
  EXPECT_EQ(kept[U'\u03A3'].action, Action::InContext);
  EXPECT_EQ(kept[U'\u2260'].action, Action::Letter) << "a symbol that only decomposes into punctuation";
  EXPECT_EQ(replacement(stripped, U'\u00C9'), "E");
  EXPECT_EQ(replacement(stripped, U'\u0301'), "");
  EXPECT_EQ(stripped[U'\u03A3'].action, Action::Letter);
  EXPECT_EQ(stripped[U'\U0001D165'].action, Action::InContext);
}

TEST(NormalizeTable, CleansAlikeInAllModes) {
  for (const Normalization normalization : {kUncasedTable, kCasedTable, kMarksKept, kMarksStripped}) {
    NormalizeTable table(normalization);
    for (const char32_t c : {U'\0', U'\x0B', U'\x7F', U'\u0085', U'\u200B', U'\uFFFD', U'\uE000', U'\u0378'}) {
      EXPECT_EQ(table[c].action, Action::Drop) << static_cast<unsigned>(c);
    }
    for (const char32_t c : {U' ', U'\t', U'\n', U'\r', U'\u00A0', U'\u2028', U'\u2029', U'\u3000'}) {
      EXPECT_EQ(table[c].action, Action::Space) << static_cast<unsigned>(c);
    }
  }
}

TEST(NormalizeTable, CleansEveryCharacterAsTheReferenceDoes) {
  NormalizeTable table(kCasedTable);
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    const CharacterKind kind = character_kind(c);
    ASSERT_EQ(table[c].action == Action::Drop, kind == CharacterKind::Dropped) << static_cast<unsigned>(c);
    ASSERT_EQ(table[c].action == Action::Space, kind == CharacterKind::Space) << static_cast<unsigned>(c);
    ASSERT_EQ(table[c].action == Action::Cjk, kind == CharacterKind::Cjk) << static_cast<unsigned>(c);
  }
}

// The tokenizer's buffer has room for one id per byte of text.
TEST(NormalizeTable, NoCharacterNormalizesToMoreCharactersThanItHasBytes) {
  for (const Normalization normalization : {kUncasedTable, kMarksKept, kMarksStripped}) {
    NormalizeTable table(normalization);
    for (char32_t c = 0; c <= 0x10FFFF; ++c) {
      if (c >= 0xD800 && c <= 0xDFFF) continue;
      const std::u32string one(1, c);
      ASSERT_LE(normalize(one, normalization).size(), unicode::encode(one).size()) << static_cast<unsigned>(c);
      ASSERT_LE(table[c].length, NormalizeTable::kMaxReplacementBytes) << static_cast<unsigned>(c);
    }
  }
}

}  // namespace
}  // namespace bertprep
