#include "unicode/properties/html_names.h"

#include <gtest/gtest.h>

namespace bertprep::unicode {
namespace {

TEST(HtmlNames, OfHtml4HaveTheirCharacters) {
  EXPECT_EQ(html4_character("lt"), U'<');
  EXPECT_EQ(html4_character("nbsp"), U'\u00A0');
  EXPECT_EQ(html4_character("AElig"), U'\u00C6');
  EXPECT_EQ(html4_character("zwnj"), U'\u200C');
  EXPECT_EQ(html4_character("thetasym"), U'\u03D1');
  for (const char* name : {"", "apos", "LT", "ltx", "thetasymx", "acE"}) EXPECT_FALSE(html4_character(name)) << name;
}

TEST(HtmlNames, OfHtml5HaveOneCharacterOrTwo) {
  EXPECT_EQ(html5_characters("AElig"), "\u00C6");
  EXPECT_EQ(html5_characters("apos"), "'");
  EXPECT_EQ(html5_characters("acE"), "\u223E\u0333");
  EXPECT_EQ(html5_characters("zwnj"), "\u200C");
  for (const char* name : {"", "Apos", "zwnjx"}) EXPECT_EQ(html5_characters(name), "") << name;
}

TEST(HtmlNames, OfAngleBracketsChangedTheirCharacters) {
  EXPECT_EQ(html4_character("lang"), U'\u2329');
  EXPECT_EQ(html5_characters("lang"), "\u27E8");
  EXPECT_EQ(html4_character("rang"), U'\u232A');
  EXPECT_EQ(html5_characters("rang"), "\u27E9");
}

}  // namespace
}  // namespace bertprep::unicode
