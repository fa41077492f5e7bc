#include "source/formats/table_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "support/memory_stream.h"
#include "twins/table.h"

namespace bertprep {
namespace {

using testing::ElementsAre;

constexpr std::uint64_t kNoLimit = std::uint64_t{1} << 30;

std::vector<test::PlainRecord> read_table(const std::string& text, char separator, std::size_t block_bytes) {
  const auto records =
      table_records("t.csv", std::make_unique<test::MemoryStream>(text, block_bytes), separator, kNoLimit);
  std::vector<test::PlainRecord> all;
  std::vector<std::string> fields;
  for (std::string record; records->next(record);) {
    const auto fault = split_table_record(record, separator, fields);
    all.push_back({fault ? std::nullopt : std::optional(fields), records->line(), records->byte()});
  }
  return all;
}

std::vector<std::string> lines_of(const std::string& text, std::uint64_t max_bytes) {
  const auto records = table_records("t.csv", std::make_unique<test::MemoryStream>(text, 7), ',', max_bytes);
  std::vector<std::string> all;
  for (std::string record; records->next(record);) all.push_back(records->is_truncated() ? "cut" : record);
  return all;
}

TEST(TableRecords, AreLinesUnlessQuotesHoldTheirEnds) {
  EXPECT_THAT(lines_of("a,b\r\n\"1\n2\",3\n\n4,\"5\"\"6\"", kNoLimit),
              ElementsAre("a,b", "\"1\n2\",3", "4,\"5\"\"6\""));
  EXPECT_THAT(lines_of("", kNoLimit), ElementsAre());
  EXPECT_THAT(lines_of("\n\r\n", kNoLimit), ElementsAre());
}

TEST(TableRecords, AnOpenQuoteCostsOneLine) {
  EXPECT_THAT(lines_of("1,\"a\n2,b\n3,c\n", kNoLimit), ElementsAre("1,\"a", "2,b", "3,c"));
  EXPECT_THAT(lines_of("1,\"a\n2,\"b\"\n3,\"c\nd\"\n", kNoLimit), ElementsAre("1,\"a", "2,\"b\"", "3,\"c\nd\""));
  EXPECT_THAT(lines_of("1,\"a\"b\n2,c\n", kNoLimit), ElementsAre("1,\"a\"b", "2,c"));
}

TEST(TableRecords, StreamPastWhatIsTooLong) {
  EXPECT_THAT(lines_of("1,a\n2,\"" + std::string(100, 'x') + "\n\"\n3,b\n", 50), ElementsAre("1,a", "cut", "3,b"));
  EXPECT_THAT(lines_of("1,\"" + std::string(100, 'x') + "\ny\"z,\n3,b\n", 50), ElementsAre("cut", "3,b"));
  EXPECT_THROW(lines_of("1,\"" + std::string(100, 'x') + "\n2,b\n", 50), FormatError);
}

TEST(TableRecords, ManyOpenQuotesTakeNoLongerThanTheirBytes) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "\"open,\nnone,2\n";
  EXPECT_EQ(read_table(text, ',', 1 << 16).size(), 40'000U);
}

TEST(TableRecords, EqualTheirTwinOnAllSmallTables) {
  const std::string letters = "a,\"\n\r";
  std::string text;
  const auto check = [&](const auto& self, std::size_t left) -> void {
    for (const std::size_t block : {1U, 3U, 64U})
      ASSERT_EQ(read_table(text, ',', block), test::plain_records(text, ',')) << text;
    if (left == 0) return;
    for (const char c : letters) {
      text.push_back(c);
      self(self, left - 1);
      text.pop_back();
    }
  };
  check(check, 6);
}

TEST(TableRecords, EqualTheirTwinOnRandomTables) {
  std::mt19937 random(7);
  const std::vector<std::string> parts = {"a", "bc", "\"", "\"\"", "\t", "\"\t\"", "\n", "\r\n", "\r", "\xC3\xA9", ","};
  for (int i = 0; i < 2000; ++i) {
    std::string text = i % 7 == 0 ? "\xEF\xBB\xBF" : "";
    for (unsigned n = random() % 60; n > 0; --n) text += parts[random() % parts.size()];
    ASSERT_EQ(read_table(text, '\t', 1 + random() % 20), test::plain_records(text, '\t')) << text;
  }
}

TEST(CsvSeparator, IsWhatTheFirstLineHas) {
  const auto csv_separator_of = [](const char* text) {
    return read_table_header(InputFormat::kCsv, "t.csv", std::make_unique<test::MemoryStream>(text, 100), kNoLimit)
        .separator;
  };
  EXPECT_EQ(csv_separator_of("a;b\n1,2\n"), ';');
  EXPECT_EQ(csv_separator_of("\xEF\xBB\xBF\n\"a;b\",c\n"), ',');
  EXPECT_EQ(csv_separator_of("\"a,b\";c\n"), ';');
  EXPECT_EQ(csv_separator_of("text\na;b\n"), ',');
  EXPECT_EQ(csv_separator_of(""), ',');
}

}  // namespace
}  // namespace bertprep
