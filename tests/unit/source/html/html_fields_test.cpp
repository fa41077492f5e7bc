#include "source/html/html_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/read_documents.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

using test::Articles;
using testing::HasSubstr;

constexpr const char* kRecords =
    "{\"text\":\"It rains.\"}\n"
    "{\"text\":\"<p>It <b>hails</b>.</p>\"}\n"
    "{\"text\":\"It snows &amp; thaws.<br/>\"}\n"
    "{\"text\":\"a <unk> b &copy c < d\"}\n";

class HtmlFieldsTest : public testing::Test {
 protected:
  test::Reading read(std::string_view bytes, const std::string& name, SourceOptions options) {
    return test::read_documents({folder_.write(name, bytes)}, options);
  }

  test::TempFolder folder_;
};

TEST_F(HtmlFieldsTest, HtmlIsRefusedAndItsMarksAreNoted) {
  const auto reading = read(kRecords, "x.jsonl", {.format = InputFormat::kJsonl});
  EXPECT_EQ(reading.articles,
            (Articles{{"", "It rains."}, {"", "It snows &amp; thaws.<br/>"}, {"", "a <unk> b &copy c < d"}}));
  ASSERT_EQ(reading.rejected.size(), 1U);
  EXPECT_THAT(reading.rejected[0].where, testing::EndsWith("x.jsonl:2"));
  EXPECT_THAT(reading.rejected[0].reason, HasSubstr("`html` text"));
  std::string note;
  HtmlFields fields(HtmlHandling::kRefuse);
  fields.show("It rains.", note);
  EXPECT_EQ(note, "");
  fields.show("It snows &amp; thaws.", note);
  EXPECT_THAT(note, HasSubstr("`html` keep"));
}

TEST_F(HtmlFieldsTest, TextIsThatOfMarkedFieldsAlone) {
  const auto reading = read(kRecords, "x.jsonl", {.format = InputFormat::kJsonl, .html = HtmlHandling::kText});
  EXPECT_EQ(reading.articles,
            (Articles{{"", "It rains."}, {"", "It hails."}, {"", "It snows & thaws."}, {"", "a <unk> b &copy c < d"}}));
  EXPECT_TRUE(reading.rejected.empty());
}

TEST_F(HtmlFieldsTest, KeptFieldsStayAsTheyAre) {
  const auto reading = read(kRecords, "x.jsonl", {.format = InputFormat::kJsonl, .html = HtmlHandling::kKeep});
  EXPECT_TRUE(reading.rejected.empty());
  ASSERT_EQ(reading.articles.size(), 4U);
  EXPECT_EQ(reading.articles[1], (test::Articles::value_type{"", "<p>It <b>hails</b>.</p>"}));
}

TEST_F(HtmlFieldsTest, FieldsOfTablesAndJoinedFieldsAreJudgedEach) {
  const SourceOptions text{.format = InputFormat::kCsv, .text_field = "a,b", .html = HtmlHandling::kText};
  EXPECT_EQ(read("a,b\nx < y,<p>It rains.</p>\n", "x.csv", text).articles, (Articles{{"", "x < y\n\nIt rains."}}));
  const SourceOptions refuse{.format = InputFormat::kJsonl, .text_field = "a,b"};
  EXPECT_EQ(read("{\"a\":\"x\",\"b\":\"<p>It rains.</p>\"}\n{\"a\":\"y\"}\n", "x.jsonl", refuse).articles,
            (Articles{{"", "y"}}));
}

}  // namespace
}  // namespace bertprep
