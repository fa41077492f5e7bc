#include "unicode/properties/properties.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bertprep::unicode {
namespace {

TEST(Properties, LaterCharactersCountAsUnassigned) {
  constexpr char32_t kAssignedIn15 = 0x0CF3, kAssignedIn14 = 0x0CDD;
  EXPECT_TRUE(is_control(kAssignedIn15));
  EXPECT_FALSE(is_control(kAssignedIn14));
  EXPECT_TRUE(is_word_not_digit(kAssignedIn14));
}

TEST(Version, IsThatOfTheLibraryThatRuns) {
  EXPECT_EQ(version_of_icu().name, "ICU");
  EXPECT_THAT(version_of_icu().running, testing::MatchesRegex("[0-9]+[.][0-9.]+"));
}

TEST(WordCharacters, AreThoseOfUnicode14) {
  const WordCharacters words;
  std::size_t count = 0;
  for (char32_t c = 0; c < 0x110000; ++c) count += words.is_word(c) ? 1 : 0;
  // sum(c.isalnum() or c == '_' for all characters c) of Python 3.11
  EXPECT_EQ(count, 133548U);
  for (const char32_t c : U"a0_\u00B2\u00BD\u2167\u4E2D\u0967\u00AA")
    EXPECT_TRUE(c == 0 || words.is_word(c)) << static_cast<unsigned>(c);
  // Unicode 15 added the last one.
  for (const char32_t c : U" -\u0301\u00A0\u2014\u200B\u00D7\U0001F600\U0001F1E6\U00011F02")
    EXPECT_FALSE(words.is_word(c)) << static_cast<unsigned>(c);
  EXPECT_EQ(words.skip_word("ab\u00E9_1-", 0), 6U);
}

}  // namespace
}  // namespace bertprep::unicode
