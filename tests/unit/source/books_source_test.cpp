#include "source/books_source.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "support/read_documents.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

class BooksSourceTest : public testing::Test {
 protected:
  test::Reading read(std::string_view bytes) {
    folder_.write("A Tale.v2.txt", bytes);
    return test::read_documents({folder_.path()}, {.format = "books"});
  }
  test::TempFolder folder_;
};

using Articles = std::vector<test::Article>;

TEST_F(BooksSourceTest, JoinsTheLinesOfABook) {
  EXPECT_EQ(read("CHAPTER I\n\n  It was  late.\n\t\nHe slept.").articles,
            (Articles{{"A Tale.v2", "CHAPTER I It was  late. He slept."}}));
}

TEST_F(BooksSourceTest, AcceptsByteOrderMarkAndCarriageReturns) {
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "One\r\n\r\ntwo.\r\n")
                .articles,
            (Articles{{"A Tale.v2", "One two."}}));
}

TEST_F(BooksSourceTest, StripsWhiteSpaceOfAllKinds) {
  EXPECT_EQ(read("\xC2\xA0One\xE3\x80\x80\n\xE2\x80\xA8\ntwo").articles, (Articles{{"A Tale.v2", "One two"}}));
}

TEST_F(BooksSourceTest, SetsAsideABookThatIsNotUtf8) {
  folder_.write("B.txt", "Good.\n");
  const auto reading = read("Caf\xE9 noir\n");
  EXPECT_EQ(reading.articles, (Articles{{"B", "Good."}}));
  ASSERT_EQ(reading.rejected.size(), 1U);
  EXPECT_EQ(reading.rejected[0].where, folder_ / "A Tale.v2.txt");
  EXPECT_EQ(reading.rejected[0].reason, "invalid UTF-8 at byte 3");
  EXPECT_EQ(reading.rejected[0].record, "Caf\xE9 noir\n");
}

TEST_F(BooksSourceTest, SetsAsideAnEmptyBook) {
  folder_.write("B.txt", "Good.\n");
  for (const char* text : {"", "\xEF\xBB\xBF", " \r\n\n"}) {
    const auto reading = read(text);
    EXPECT_EQ(reading.articles.size(), 1U);
    ASSERT_EQ(reading.rejected.size(), 1U);
    EXPECT_EQ(reading.rejected[0].reason, "the book holds no text");
  }
}

TEST_F(BooksSourceTest, StrictEndsAtTheFirstBadBook) {
  folder_.write("A.txt", "\xFF");
  EXPECT_THROW(test::read_documents({folder_.path()}, {.format = "books", .strict = true}), FormatError);
}

TEST_F(BooksSourceTest, ReadsOnlyTxtFilesOfAFolder) {
  folder_.write("cover.jpg", "\xFF\xD8");
  folder_.write("sub/C.TXT", "Third.");
  EXPECT_EQ(read("First.").articles, (Articles{{"A Tale.v2", "First."}, {"C", "Third."}}));
}

TEST_F(BooksSourceTest, ReadsABookThatIsNamedItselfWhateverItsEnding) {
  const auto path = folder_.write("novel.text", "Text.");
  EXPECT_EQ(test::read_documents({path}, {.format = "books"}).articles, (Articles{{"novel", "Text."}}));
}

}  // namespace
}  // namespace bertprep
