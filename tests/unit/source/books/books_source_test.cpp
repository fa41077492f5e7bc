#include "source/books/books_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "support/packed.h"
#include "support/read_documents.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

class BooksSourceTest : public testing::Test {
 protected:
  test::Reading read(std::string_view bytes) {
    folder_.write("A Tale.v2.txt", bytes);
    return test::read_documents({folder_.path()}, {.format = InputFormat::kBooks});
  }
  test::TempFolder folder_;
};

using test::Articles;

TEST_F(BooksSourceTest, JoinsTheLinesOfABook) {
  EXPECT_EQ(read("CHAPTER I\n\n  It was  late.\n\t\nHe slept.").articles,
            (Articles{{"A Tale.v2", "CHAPTER I\nIt was  late.\nHe slept."}}));
}

TEST_F(BooksSourceTest, AcceptsByteOrderMarkAndCarriageReturns) {
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "One\r\n\r\ntwo.\r\n")
                .articles,
            (Articles{{"A Tale.v2", "One\ntwo."}}));
}

TEST_F(BooksSourceTest, StripsWhiteSpaceOfAllKinds) {
  EXPECT_EQ(read("\xC2\xA0One\xE3\x80\x80\n\xE2\x80\xA8\ntwo").articles, (Articles{{"A Tale.v2", "One\ntwo"}}));
}

TEST_F(BooksSourceTest, EndsLinesAsAnySystemDoes) {
  EXPECT_EQ(read("One\rtwo\r\rthree\r\nfour\n\r\nfive\r").articles,
            (Articles{{"A Tale.v2", "One two\nthree four\nfive"}}));
}

TEST_F(BooksSourceTest, GuessesWhatIsNotUtf8AndSaysSo) {
  const std::vector<std::filesystem::path> inputs{folder_.write("x.txt", "Caf\xE9 noir, d\xE9j\xE0 vu\n")};
  const auto source = open_source(inputs, {.format = InputFormat::kBooks}, {});
  Document document;
  ASSERT_TRUE(source->next(document));
  EXPECT_EQ(document.text, "Café noir, déjà vu");
  EXPECT_EQ(source->take_remarks().at(0).text, "its encoding is guessed: windows-1252 (`encoding` sets another)");
  EXPECT_EQ(document.origin.source, inputs[0]);
}

TEST_F(BooksSourceTest, ReadsUtf16ByItsMark) {
  EXPECT_EQ(read(std::string_view("\xFF\xFEO\0n\0e\0\n\0\x3D\xD8\x00\xDE", 14)).articles,
            (Articles{{"A Tale.v2", "One 😀"}}));
  EXPECT_EQ(read(std::string_view("\xFE\xFF\0O\0n\0e", 8)).articles, (Articles{{"A Tale.v2", "One"}}));
}

TEST_F(BooksSourceTest, TakesTheEncodingThatIsNamed) {
  folder_.write("A.txt", "\xC4\xE0");
  const auto read_as = [this](const std::string& encoding) {
    return test::read_documents({folder_.path()}, {.format = InputFormat::kBooks, .encoding = encoding});
  };
  EXPECT_EQ(read_as("windows-1251").articles, (Articles{{"A", "Да"}}));
  EXPECT_EQ(read_as("latin-1").articles, (Articles{{"A", "Äà"}}));
  EXPECT_EQ(read_as("utf-8").rejected.at(0).reason, "invalid UTF-8 at byte 0");
  EXPECT_EQ(read_as("ascii").rejected.at(0).reason, "invalid ascii at byte 0");
}

TEST_F(BooksSourceTest, SetsAsideDamagedUtf8InsteadOfGuessing) {
  std::string book;
  for (int i = 0; i < 100; ++i) book += "Ein schönes Fräulein.\n";
  folder_.write("B.txt", "Good.\n");
  const auto reading = read(book + "\xFF\n" + book);
  EXPECT_EQ(reading.articles, (Articles{{"B", "Good."}}));
  ASSERT_EQ(reading.rejected.size(), 1U);
  EXPECT_EQ(reading.rejected[0].where, folder_ / "A Tale.v2.txt");
  EXPECT_EQ(reading.rejected[0].reason, "invalid UTF-8 at byte " + std::to_string(book.size()));
  EXPECT_EQ(reading.rejected[0].record, book + "\xFF\n" + book);
}

TEST_F(BooksSourceTest, RejectsWhatIsNoText) {
  std::string noise(4000, ' ');
  std::uint32_t state = 1;
  for (char& c : noise) c = static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  folder_.write("A.txt", "Good.\n");
  for (const std::string& book : {noise, std::string(5000, '\0'),
                                  "\x7F"
                                  "ELF\x02\x01" +
                                      std::string(100, '\0') + "text"}) {
    const auto reading = read(book);
    EXPECT_EQ(reading.articles, (Articles{{"A", "Good."}}));
    ASSERT_EQ(reading.rejected.size(), 1U);
    EXPECT_THAT(reading.rejected[0].reason, testing::StartsWith("this is not text: "));
  }
  EXPECT_EQ(read("<!DOCTYPE html>\n<p>x</p>").rejected.at(0).reason,
            "this is HTML: a page was saved instead of the text");
  EXPECT_EQ(read("%PDF-1.4\n").rejected.at(0).reason, "this is PDF");
}

TEST_F(BooksSourceTest, AFewControlCharactersMakeNoBinary) {
  EXPECT_EQ(read("A page.\f\nAnother one, \x02 with a mark that some editor left. " + std::string(60, 'a') + "\x1A")
                .rejected.size(),
            0U);
  EXPECT_EQ(read("It was \xC2\x85 late.").rejected.size(), 0U);
}

TEST_F(BooksSourceTest, DropsAndReportsATruncatedCharacter) {
  const std::vector<std::filesystem::path> inputs{folder_.write("x.txt", "Fräulein sch\xC3")};
  const auto source = open_source(inputs, {.format = InputFormat::kBooks}, {});
  Document document;
  ASSERT_TRUE(source->next(document));
  EXPECT_EQ(document.text, "Fräulein sch");
  EXPECT_EQ(source->take_remarks().at(0).text, "it ends within a character: its last 1 byte is left out");
}

TEST_F(BooksSourceTest, CompatFormatsAsTheReference) {
  const std::vector<std::filesystem::path> inputs{folder_.write(
      "x.txt", "\xEF\xBB\xBF*** START OF THE PROJECT GUTENBERG EBOOK X ***\r\n\r\n half-\r\n light \n\nEnd\rx\n")};
  const auto source = open_source(inputs, {.format = InputFormat::kBooks, .books_compat = true}, {});
  Document document;
  ASSERT_TRUE(source->next(document));
  EXPECT_EQ(document.layout, ArticleLayout::kReference);
  EXPECT_EQ(document.text, "*** START OF THE PROJECT GUTENBERG EBOOK X ***\nhalf-\nlight\nEnd\rx");
}

TEST_F(BooksSourceTest, CompatTakesUtf8Only) {
  folder_.write("A.txt", "Caf\xE9");
  folder_.write("B.txt", "Good.");
  folder_.write("C.txt", "Caf\xC3");
  const auto reading = test::read_documents({folder_.path()}, {.format = InputFormat::kBooks, .books_compat = true});
  EXPECT_EQ(reading.articles, (Articles{{"B", "Good."}}));
  EXPECT_EQ(reading.rejected.size(), 2U);
}

TEST_F(BooksSourceTest, CutsTheFrameOfProjectGutenberg) {
  const std::string book =
      "The Project Gutenberg EBook of X\n\n*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n\nProduced by Y\n\n\n"
      "It was late.\n\nEnd of Project Gutenberg's X\n\n*** END OF THIS PROJECT GUTENBERG EBOOK X ***\nLicense\n";
  EXPECT_EQ(read(book).articles, (Articles{{"A Tale.v2", "It was late."}}));
  const auto kept = test::read_documents({folder_.path()}, {.format = InputFormat::kBooks, .keep_gutenberg = true});
  EXPECT_NE(kept.articles.at(0).text.find("License"), std::string::npos);
}

TEST_F(BooksSourceTest, SetsAsideAnEmptyBook) {
  folder_.write("B.txt", "Good.\n");
  for (const char* text : {"", "\xEF\xBB\xBF", " \r\n\n"}) {
    const auto reading = read(text);
    EXPECT_EQ(reading.articles.size(), 1U);
    ASSERT_EQ(reading.rejected.size(), 1U);
    EXPECT_EQ(reading.rejected[0].reason, "the book contains no text");
  }
}

TEST_F(BooksSourceTest, StrictEndsAtTheFirstBadBook) {
  folder_.write("A.txt", "\n");
  EXPECT_THROW(test::read_documents({folder_.path()}, {.format = InputFormat::kBooks, .strict = true}), FormatError);
}

TEST_F(BooksSourceTest, ReadsOnlyTxtFilesOfAFolder) {
  folder_.write("cover.jpg", "\xFF\xD8");
  folder_.write("sub/C.TXT", "Third.");
  EXPECT_EQ(read("First.").articles, (Articles{{"A Tale.v2", "First."}, {"C", "Third."}}));
}

TEST_F(BooksSourceTest, ReadsCompressedBooksAndArchivesOfAFolder) {
  folder_.write("a.txt.gz", test::compress("gzip", "First."));
  folder_.write("b.zip", test::pack("none", "zip", {{"c.txt", "Second."}, {"d.jpg", "no"}, {"E.TXT", "Third."}}));
  folder_.write("x.gz", test::compress("gzip", "no"));
  EXPECT_EQ(test::read_documents({folder_.path()}, {.format = InputFormat::kBooks}).articles,
            (Articles{{"a", "First."}, {"c", "Second."}, {"E", "Third."}}));
  const auto named = folder_.write("Vol. 1: The End.txt", "Fourth.");
  EXPECT_EQ(test::read_documents({named}, {.format = InputFormat::kBooks}).articles,
            (Articles{{"Vol. 1: The End", "Fourth."}}));
}

TEST_F(BooksSourceTest, ReadsABookThatIsNamedItselfWhateverItsEnding) {
  const auto path = folder_.write("novel.text", "Text.");
  EXPECT_EQ(test::read_documents({path}, {.format = InputFormat::kBooks}).articles, (Articles{{"novel", "Text."}}));
}

}  // namespace
}  // namespace bertprep
