#include "wiki/markup/markup_bytes.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "wiki/markup/edits.h"
#include "wiki/markup/entities.h"
#include "wiki/markup/tag_names.h"
#include "wiki/markup/word_characters.h"

namespace bertprep {
namespace {

TEST(MarkupBytes, FindsPairsWhereAPlainSearchDoes) {
  std::mt19937 draws(1);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (std::size_t i = draws() % 80; i > 0; --i) text += "ab\xC3["[draws() % 4];
    const std::size_t from = draws() % 90;
    EXPECT_EQ(find_pair(text, 'a', 'b', from), text.find("ab", from)) << text;
    EXPECT_EQ(find_pair(text, '[', '[', from), text.find("[[", from)) << text;
  }
}

TEST(MarkupBytes, TheEndOfTheTextEndsThePair) {
  const std::string text = "aaaaaaaaaaaaaaaa[[";
  EXPECT_EQ(find_pair(std::string_view(text).substr(0, 17), '[', '['), std::string_view::npos);
  EXPECT_EQ(find_pair(text, '[', '['), 16U);
  EXPECT_EQ(find_pair("", '[', '['), std::string_view::npos);
}

TEST(Edits, CopyWhatLiesBetween) {
  std::string out = "old";
  Edits edits("abcdef", out);
  edits.erase(0, 1);
  edits.replace(2, 4, "XYZ");
  EXPECT_TRUE(edits.finish());
  EXPECT_EQ(out, "bXYZef");
}

TEST(Edits, WithoutAnyLeaveTheOutputAlone) {
  std::string out = "old";
  EXPECT_FALSE(Edits("abcdef", out).finish());
  EXPECT_EQ(out, "old");
}

TEST(TagNames, AreToldApart) {
  std::size_t place = 0;
  for (const std::string_view name : kDroppedElements) EXPECT_EQ(tag_class(name).dropped, ++place) << name;
  for (const std::string_view name : kSelfClosingTags) EXPECT_TRUE(tag_class(name).is_self_closing) << name;
  for (const std::string_view name : kIgnoredTags) EXPECT_TRUE(tag_class(name).is_ignored) << name;
  EXPECT_EQ(tag_class("References"), (TagClass{24 + 1, true, false}));
  EXPECT_EQ(tag_class("BR"), (TagClass{0, true, false}));
  for (const char* name : {"", "x", "reference", "referencess", "math", "aa"})
    EXPECT_EQ(tag_class(name), TagClass()) << name;
}

TEST(HtmlEntities, HaveTheirCharacters) {
  EXPECT_EQ(html_entity("lt"), U'<');
  EXPECT_EQ(html_entity("nbsp"), U'\u00A0');
  EXPECT_EQ(html_entity("Zeta"), U'\u0396');
  EXPECT_EQ(html_entity("thetasym"), U'\u03D1');
  for (const char* name : {"", "apos", "LT", "ltx", "thetasymx"}) EXPECT_FALSE(html_entity(name)) << name;
}

TEST(WordCharacters, AreThoseOfUnicode14) {
  const WordCharacters words;
  std::size_t count = 0;
  for (char32_t c = 0; c < 0x110000; ++c) count += words.is_word(c) ? 1 : 0;
  // sum(c.isalnum() or c == '_' for all characters c) of Python 3.11
  EXPECT_EQ(count, 133548U);
  for (const char32_t c : U"a0_\u00B2\u00BD\u2167\u4E2D\u0967\u00AA")
    EXPECT_TRUE(c == 0 || words.is_word(c)) << static_cast<unsigned>(c);
  // The last was added by Unicode 15.
  for (const char32_t c : U" -\u0301\u00A0\u2014\u200B\u00D7\U0001F600\U0001F1E6\U00011F02")
    EXPECT_FALSE(words.is_word(c)) << static_cast<unsigned>(c);
  EXPECT_EQ(words.skip_word("ab\u00E9_1-", 0), 6U);
}

TEST(WordCharacters, SpacesAreThoseOfPython) {
  std::size_t count = 0;
  for (char32_t c = 0; c < 0x110000; ++c) count += is_space(c) ? 1 : 0;
  EXPECT_EQ(count, 29U);
  EXPECT_EQ(skip_spaces(" \u3000\t\u00A0\u2003x", 0), 10U);
}

TEST(WordCharacters, CharactersAreReadBothWays) {
  for (const char32_t c : {U'a', U'\u00E9', U'\u20AC', U'\U0001F600', U'\U0010FFFF'}) {
    std::string text = "x";
    append_code_point(c, text);
    EXPECT_EQ(code_point_at(text, 1).value, c);
    EXPECT_EQ(code_point_before(text, text.size()).value, c);
    EXPECT_EQ(1 + code_point_at(text, 1).bytes, text.size());
  }
  for (const char* broken : {"\x80", "\xC3", "\xE2\x82", "\xF0\x9F\x98", "\xFF", "\xC0\x80"}) {
    EXPECT_EQ(code_point_at(broken, 0).bytes, 1U);
    EXPECT_EQ(code_point_before(broken, std::string_view(broken).size()).bytes, 1U);
  }
}

}  // namespace
}  // namespace bertprep
