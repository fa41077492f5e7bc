#include "wiki/clean/markup/tidy.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace bertprep::clean {
namespace {

std::string tidied(std::string text, bool french) {
  tidy(text, french);
  return text;
}

TEST(Tidied, EmptyBracketsVanish) {
  for (const auto* text : {"a () b", "a ( ) b", "a (,) b", "a ( ; ) b", "a (()) b", "a (\"\") b", "a [] b", "a “” b",
                           "a (, ; /) b", "a ( – ) b", "a \"\" b"}) {
    EXPECT_EQ(tidied(text, false), "a b") << text;
  }
  EXPECT_EQ(tidied("（） 漢（、）字", false), "漢字");
  EXPECT_EQ(tidied("(-)-menthol", false), "(-)-menthol");
}

TEST(Tidied, SeparatorsInBracketsVanish) {
  EXPECT_EQ(tidied("a (; b) (, c) (d, ) ( e ; )", false), "a (b) (c) (d) (e)");
}

TEST(Tidied, SeparatorsOfOtherScriptsToo) {
  EXPECT_EQ(tidied("كلمة (، ب) ، ج ،، د (،) ه؛ ؛ و", false), "كلمة (ب)، ج، د ه؛ و");
  EXPECT_EQ(tidied("漢（、一九）（，；字）", false), "漢（一九）（字）");
}

TEST(Tidied, NoBlankStandsBeforePunctuation) {
  EXPECT_EQ(tidied("a , b ; c . d ) e", false), "a, b; c. d) e");
  EXPECT_EQ(tidied("a : b ? c !", false), "a: b? c!");
  EXPECT_EQ(tidied("a : b ? c !", true), "a : b ? c !");
  EXPECT_EQ(tidied("the .NET and .5", false), "the .NET and .5");
}

TEST(Tidied, DoubledMarksBecomeOne) {
  EXPECT_EQ(tidied("a,, b, , c ,. d; , e", false), "a, b, c. d; e");
  EXPECT_EQ(tidied("Jr.. And . . . so ..... on. . End ... x", false), "Jr. And... so... on. End... x");
  EXPECT_EQ(tidied("he said \"x\"\" then", false), "he said \"x\" then");
}

TEST(Tidied, BlanksAreSingle) {
  EXPECT_EQ(tidied("  a   b  ", false), "a b");
}

TEST(Tidied, TidyingTwiceGivesTheSame) {
  constexpr std::string_view kSigns[] = {" ", "a", "(", ")", ",", ";", ".", "\"", "[",  "]",
                                         ":", "-", "“", "”", "B", "–", "،", "（", "）", "、"};
  std::mt19937 random(1);
  for (int round = 0; round < 200000; ++round) {
    std::string text;
    for (int length = static_cast<int>(random() % 14); length > 0; --length) text += kSigns[random() % 20];
    std::string once = tidied(text, false);
    std::string twice = tidied(once, false);
    for (int i = 0; i < 6 && once != twice; ++i) {
      once.swap(twice);
      twice = tidied(once, false);
    }
    ASSERT_EQ(twice, once) << text;
    ASSERT_EQ(once.find("()"), std::string::npos) << text;
    ASSERT_EQ(once.find(" ,"), std::string::npos) << text;
    ASSERT_EQ(once.find("  "), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace bertprep::clean
