#include "text/unicode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bertprep::unicode {
namespace {

TEST(Lower, SigmaIsFinalOnlyAtTheEndOfAWord) {
  EXPECT_EQ(lower(U"ΟΔΟΣ"), U"οδος");
  EXPECT_EQ(lower(U"ΟΔΟΣ."), U"οδος.");
  EXPECT_EQ(lower(U"ΟΔΟΣ.Α"), U"οδοσ.α");
  EXPECT_EQ(lower(U"ΟΔΟΣ Α"), U"οδος α");
  EXPECT_EQ(lower(U"Σ"), U"σ");
  EXPECT_EQ(lower(U".Σ"), U".σ");
  EXPECT_EQ(lower(U"Α'Σ'"), U"α'ς'");
  EXPECT_EQ(lower(U"ΑΣΣ"), U"ασς");
}

TEST(Lower, OnlyCapitalIWithDotBecomesTwoCharacters) {
  EXPECT_EQ(lower(U"\u0130X"), U"i\u0307x");
}

TEST(Nfd, DecomposesAndOrders) {
  EXPECT_EQ(nfd(U"\u00e9"), U"e\u0301");
  EXPECT_EQ(nfd(U"\ud55c"), U"\u1112\u1161\u11ab");
  EXPECT_EQ(nfd(U"a\u0301\u0323"), U"a\u0323\u0301");
  EXPECT_EQ(nfd(U"\u1ec7\u0334"), U"e\u0334\u0323\u0302");
}

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

}  // namespace
}  // namespace bertprep::unicode
