#include "source/books/paragraphs.h"

#include <gtest/gtest.h>

#include <string>

namespace bertprep {
namespace {

TEST(Paragraphs, JoinWrappedLines) {
  EXPECT_EQ(joined_paragraphs("CHAPTER I\n\n  It was\nlate.\n \t\n\nHe slept.\n"),
            "CHAPTER I\nIt was late.\nHe slept.");
  EXPECT_EQ(joined_paragraphs(""), "");
  EXPECT_EQ(joined_paragraphs("\n \n"), "");
}

TEST(Paragraphs, AreTheLinesOfABookWithoutWrapping) {
  const std::string line = std::string(200, 'x');
  EXPECT_EQ(joined_paragraphs(line + "\nShort.\n\n" + line), line + "\nShort.\n" + line);
  // Characters count, not bytes.
  std::string cyrillic;
  for (int i = 0; i < 80; ++i) cyrillic += "ж";
  EXPECT_EQ(joined_paragraphs(cyrillic + "\n" + cyrillic), cyrillic + " " + cyrillic);
}

TEST(Paragraphs, KeepTheHyphenOfACompound) {
  EXPECT_EQ(joined_paragraphs("in the half-\nlight of a grey-\n  headed man"),
            "in the half-light of a grey-headed man");
  EXPECT_EQ(joined_paragraphs("half-\n\nlight"), "half-\nlight");
}

TEST(Paragraphs, DropTheHyphenWhereTheBookKnowsTheWord) {
  EXPECT_EQ(joined_paragraphs("The inhabitants came.\nThe Inhab-\nitants went."),
            "The inhabitants came. The Inhabitants went.");
  EXPECT_EQ(joined_paragraphs("Half-light, half-light, halflight, half-\nlight"),
            "Half-light, half-light, halflight, half-light");
  EXPECT_EQ(joined_paragraphs("schönes Mädchen, Mäd-\nchen"), "schönes Mädchen, Mädchen");
  EXPECT_EQ(joined_paragraphs("inhab\u00AD\nitants"), "inhabitants");
}

TEST(Paragraphs, KeepPartsThatWaitForAnother) {
  EXPECT_EQ(joined_paragraphs("Trost- \nund Hilferuf; nineteenth-\nand twentieth"),
            "Trost- und Hilferuf; nineteenth- and twentieth");
}

TEST(Paragraphs, DashesAreNoHyphens) {
  EXPECT_EQ(joined_paragraphs("he said--\nand went; 1914-\n18; a -\nb; word—\nmore"),
            "he said-- and went; 1914- 18; a - b; word— more");
}

TEST(StrippedLines, AreThoseThatAreNotEmpty) {
  EXPECT_EQ(stripped_lines(" a \n\n\u00A0\nb\r\nc"), "a\nb\nc");
  EXPECT_EQ(stripped_lines("\n"), "");
}

}  // namespace
}  // namespace bertprep
