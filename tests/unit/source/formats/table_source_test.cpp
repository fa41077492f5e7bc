#include "source/formats/table_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "support/read_documents.h"
#include "support/temp_folder.h"
#include "support/thrown.h"

namespace bertprep {
namespace {

using test::Articles;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

class TableSourceTest : public testing::Test {
 protected:
  test::Reading read(std::string_view bytes, const std::string& text_field = "text", const char* format = "csv") {
    path_ = folder_.write("x.csv", bytes);
    return test::read_documents({path_}, {.format = input_format(format), .text_field = text_field});
  }

  // Why a record is rejected.
  std::string reason(const std::string& record, const std::string& text_field = "text") {
    const auto reading = read("id,text\n" + record + "\n9,good\n", text_field);
    EXPECT_EQ(reading.articles.size(), 1U) << record;
    if (reading.rejected.size() != 1) return "nothing set aside";
    EXPECT_EQ(reading.rejected[0].where, path_.string() + ":2");
    EXPECT_EQ(reading.rejected[0].record, record);
    return reading.rejected[0].reason;
  }

  std::string failure(std::string_view bytes, const std::string& text_field = "text") {
    return test::thrown_by<FormatError>([&] { read(bytes, text_field); });
  }

  test::TempFolder folder_;
  std::filesystem::path path_;
};

TEST_F(TableSourceTest, ReadsTextAndTitleByTheNamesOfTheColumns) {
  EXPECT_EQ(read("id,title,text\n1,T,\"a, \"\"b\"\"\nc\"\n2,,d\n").articles,
            (Articles{{"T", "a, \"b\"\nc"}, {"", "d"}}));
  EXPECT_EQ(read("\xEF\xBB\xBFtext\r\na 5\" disk\r\n\r\nb").articles, (Articles{{"", "a 5\" disk"}, {"", "b"}}));
  EXPECT_EQ(read("body;n\na,b;1\n", "body").articles, (Articles{{"", "a,b"}}));
  EXPECT_EQ(read("n\ttext\n1\t\"a\tb\"\n2\tc, d\n", "text", "tsv").articles, (Articles{{"", "a\tb"}, {"", "c, d"}}));
}

TEST_F(TableSourceTest, JoinsSeveralColumnsAsParagraphs) {
  EXPECT_EQ(read("title,abstract,n\nT,A,1\n,B,2\nU, ,3\n", "title,abstract").articles,
            (Articles{{"T", "T\n\nA"}, {"", "B"}, {"U", "U"}}));
  EXPECT_EQ(read("\"a,b\",a\nx,y\n", "a,b").articles, (Articles{{"", "x"}})) << "a whole name comes first";
  EXPECT_EQ(read("a,c\nx,y\n", "a,b").articles, (Articles{{"", "x"}})) << "a column that is missing";
}

TEST_F(TableSourceTest, KnowsWhereRecordsAre) {
  const auto path = folder_.write("o.csv", "id,url,timestamp,text\n7,http://x/7,2020-01-02,\"a\nb\"\n8,,,c\n");
  const auto source = open_source(std::vector{path}, {.format = InputFormat::kCsv}, {});
  Document document;
  ASSERT_TRUE(source->next(document));
  EXPECT_EQ(document.origin.page_id, "7");
  EXPECT_EQ(document.origin.url, "http://x/7");
  EXPECT_EQ(document.origin.timestamp, "2020-01-02");
  EXPECT_EQ(document.origin.line, 2U);
  EXPECT_EQ(document.origin.byte, 22U);
  ASSERT_TRUE(source->next(document));
  EXPECT_EQ(document.origin.line, 4U);
  EXPECT_EQ(document.origin.source, path.string());
}

TEST_F(TableSourceTest, SetsBadRecordsAside) {
  EXPECT_EQ(reason("1"), "wrong number of fields: 1, the header has 2");
  EXPECT_EQ(reason("1,a,b"), "wrong number of fields: 3, the header has 2");
  EXPECT_EQ(reason("1,\"a\"b"), "a quoted field continues after its quote");
  EXPECT_EQ(reason("1,\"a"), "a quoted field has no end");
  EXPECT_EQ(reason("1, "), "field \"text\" is empty");
  EXPECT_EQ(reason("1,\xFF"), "invalid UTF-8 at byte 10");
  EXPECT_EQ(reason(",", "id,text"), "none of the fields \"id\", \"text\" has text");
}

TEST_F(TableSourceTest, RefusesATableWithoutTheColumn) {
  EXPECT_THAT(
      failure("id,body\n1,a\n"),
      HasSubstr("no column \"text\": the header has \"id\", \"body\"; name the column of the text with `text_"));
  EXPECT_THAT(failure("id,body\n1,a\n", "x,y"), HasSubstr("none of the columns \"x\", \"y\" is there: the header has"));
  EXPECT_THAT(failure("text,text\n1,a\n"), HasSubstr("two columns are named \"text\""));
  EXPECT_THAT(failure("text,\"a\n"), HasSubstr("the names of the columns can't be read: a quoted field has no end"));
  EXPECT_THAT(failure("id,text\n"), HasSubstr("there is not a single article in it"));
}

TEST_F(TableSourceTest, EachFileHasItsOwnHeader) {
  const std::vector<std::filesystem::path> inputs{
      folder_.write("1", "text,n\na,1\n"), folder_.write("2", "n,text\n2,b\n"), folder_.write("3", "n,text\n3,c\n")};
  EXPECT_EQ(test::read_documents(inputs, {.format = InputFormat::kCsv}).articles,
            (Articles{{"", "a"}, {"", "b"}, {"", "c"}}));
}

TEST_F(TableSourceTest, ARecordThatIsTooLongIsSetAside) {
  const auto path = folder_.write("l.csv", "id,text\n1,\"" + std::string(100, 'x') + "\ny\"\n2,b\n");
  const auto reading = test::read_documents({path}, {.format = InputFormat::kCsv, .max_article = "50"});
  EXPECT_EQ(reading.articles, (Articles{{"", "b"}}));
  ASSERT_EQ(reading.rejected.size(), 1U);
  EXPECT_EQ(reading.rejected[0].where, path.string() + ":2");
}

}  // namespace
}  // namespace bertprep
