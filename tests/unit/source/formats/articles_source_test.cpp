#include "source/formats/text_source.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "support/read_documents.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

class ArticlesSourceTest : public testing::Test {
 protected:
  std::vector<test::Article> read(std::string_view bytes) {
    const auto source = articles_reader({}, {})(test::file_input(folder_.write("a.txt", bytes)));
    return test::drain(*source);
  }
  test::TempFolder folder_;
};

using test::Articles;

TEST_F(ArticlesSourceTest, GivesALineAsAnArticle) {
  EXPECT_EQ(read("One . Two .\nThree .\n"), (Articles{{"", "One . Two ."}, {"", "Three ."}}));
}

TEST_F(ArticlesSourceTest, LeavesOutBlankLines) {
  EXPECT_EQ(read("\n a\n \t\xC2\xA0\xE3\x80\x80\n\n\x1C\nb\n\n"), (Articles{{"", " a"}, {"", "b"}}));
}

TEST_F(ArticlesSourceTest, KeepsWhiteSpaceBeforeAndDropsItAfter) {
  EXPECT_EQ(read("\xC2\xA0 a b \t\xE2\x80\xA8\n"), (Articles{{"", "\xC2\xA0 a b"}}));
}

TEST_F(ArticlesSourceTest, TakesCarriageReturnsWithinALineAsData) {
  EXPECT_EQ(read("a\rb\r\nc\r\r\n\r\n"), (Articles{{"", "a\rb"}, {"", "c"}}));
}

TEST_F(ArticlesSourceTest, NeedsNoFinalLineFeed) {
  EXPECT_EQ(read("a\nb"), (Articles{{"", "a"}, {"", "b"}}));
}

TEST_F(ArticlesSourceTest, KeepsNulAndZeroWidthSpace) {
  const std::string line("a\0b\xE2\x80\x8B", 6);
  EXPECT_EQ(read(line + "\n"), (Articles{{"", line}}));
}

TEST_F(ArticlesSourceTest, DropsTheByteOrderMarkOfTheFile) {
  const std::string mark = "\xEF\xBB\xBF";
  EXPECT_EQ(read(mark + "one\n" + mark + "two\n"), (Articles{{"", "one"}, {"", mark + "two"}}));
  EXPECT_TRUE(read(mark + "\n").empty());
  const auto source = articles_reader({}, {})(test::file_input(folder_.write("b.txt", mark + "one\ntwo\n")));
  EXPECT_EQ(test::places(*source), (std::vector<test::Place>{{1, 0}, {2, 7}}));
}

TEST_F(ArticlesSourceTest, EndsAtInvalidUtf8WithLineAndByte) {
  const auto source =
      articles_reader({}, {})(test::file_input(folder_.write("a.txt", "one\ntwo\nthr\xC0\x80 ee\nfour\n")));
  Document document;
  EXPECT_TRUE(source->next(document));
  EXPECT_TRUE(source->next(document));
  try {
    source->next(document);
    FAIL() << "no error";
  } catch (const FormatError& error) {
    EXPECT_EQ(error.where(), (folder_ / "a.txt").string() + ":3");
    EXPECT_NE(std::string(error.what()).find("invalid UTF-8 at byte 11"), std::string::npos);
  }
}

TEST_F(ArticlesSourceTest, RefusesACharacterTruncatedByALineFeed) {
  EXPECT_THROW(read("a\xE2\x82\n\xAC\n"), FormatError);
}

TEST_F(ArticlesSourceTest, GivesNothingForAnEmptyFile) {
  EXPECT_TRUE(read("").empty());
}

TEST(ArticlesSource, SaysWhereArticlesBegin) {
  const test::TempFolder folder;
  const auto source = articles_reader({}, {})(test::file_input(folder.write("a.txt", "\na b\n \n\nc\n")));
  EXPECT_EQ(test::places(*source), (std::vector<test::Place>{{2, 1}, {5, 8}}));
}

}  // namespace
}  // namespace bertprep
