#include "unicode/properties/mappings.h"

#include <gtest/gtest.h>

namespace bertprep::unicode {
namespace {

using Append = void (*)(std::string_view, std::string&);

std::string made_by(Append append, std::string_view text) {
  std::string out = "<";
  append(text, out);
  return out.substr(1);
}

TEST(LetterCase, MapsInFull) {
  EXPECT_EQ(made_by(append_lower, "ABC xyz"), "abc xyz");
  EXPECT_EQ(made_by(append_upper, "abc XYZ {|}"), "ABC XYZ {|}");
  EXPECT_EQ(made_by(append_upper, "straße"), "STRASSE");
  EXPECT_EQ(made_by(append_lower, "ΟΔΥΣΣΕΥΣ ΑΣ."), "οδυσσευς ας.");
  EXPECT_EQ(made_by(append_lower, "İ"), "i̇");
  EXPECT_EQ(made_by(append_lower, ""), "");
}

TEST(LetterCase, MapsTheFirstLetter) {
  EXPECT_EQ(made_by(append_upper_first, "éa"), "Éa");
  EXPECT_EQ(made_by(append_upper_first, "ßA"), "SSA");
  EXPECT_EQ(made_by(append_lower_first, "ΣΑ"), "σΑ");
  EXPECT_EQ(made_by(append_lower_first, ""), "");
}

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

}  // namespace
}  // namespace bertprep::unicode
