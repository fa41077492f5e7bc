#include "source/input/article_limit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bzlib.h>

#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "bertprep/source/open_source.h"
#include "support/temp_folder.h"

namespace bertprep::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

// Articles of at most 10 bytes.
class ArticleLimitTest : public testing::Test {
 protected:
  ArticleLimitTest() { options_.max_article = "10"; }

  std::vector<std::string> read(const std::string& format, const std::string& bytes) {
    options_.format = input_format(format);
    const std::vector<std::filesystem::path> inputs{temp_.write("in." + format, bytes)};
    const RejectSink sink = [this](const std::string& where, const std::string& reason, std::string_view record) {
      rejected_.push_back(std::filesystem::path(where).filename().string() + ": " + reason);
      records_.emplace_back(record);
    };
    const auto source = open_source(inputs, options_, sink);
    std::vector<std::string> texts;
    for (Document document; source->next(document);) texts.push_back(document.text);
    return texts;
  }

  static std::string too_long(std::size_t bytes) {
    return "it is too long: " + std::to_string(bytes) + " bytes, where `max_article` allows 10";
  }

  TempFolder temp_;
  SourceOptions options_;
  std::vector<std::string> rejected_;
  std::vector<std::string> records_;
};

TEST_F(ArticleLimitTest, AnArticleOfOneLine) {
  EXPECT_THAT(read("articles", "one\n0123456789\n0123456789a\nlast\n"), ElementsAre("one", "0123456789", "last"));
  EXPECT_THAT(rejected_, ElementsAre("in.articles:3: " + too_long(11)));
  EXPECT_THAT(records_, ElementsAre("0123456789a"));
}

TEST_F(ArticleLimitTest, AnArticleOfManyLines) {
  EXPECT_THAT(read("sentences", "a b\nc\n\n012345\n6789\n\nz\n"), ElementsAre("a b\nc", "z"));
  EXPECT_THAT(rejected_, ElementsAre("in.sentences:4: " + too_long(11)));
  rejected_.clear();
  EXPECT_THAT(read("wikitext", " \n = Aa = \n \n a\n \n = Bb = \n \n 012345\n 678901\n \n = Cc = \n \n c\n"),
              ElementsAre("a", "c"));
  EXPECT_THAT(rejected_, ElementsAre("in.wikitext:8: " + too_long(13)));
}

TEST_F(ArticleLimitTest, ARecordOfJson) {
  EXPECT_THAT(read("jsonl", "{\"text\":1}\n{\"text\":\"abc\"}\n"), testing::IsEmpty());
  EXPECT_THAT(rejected_, ElementsAre(HasSubstr("not a string"), "in.jsonl:2: " + too_long(14)));
  rejected_.clear();
  options_.max_article = "14";
  EXPECT_THAT(read("jsonl", "[{\"text\":\"abc\"},\n {\"text\":\"abcd\"}, {\"text\":\"d\"}]"), ElementsAre("abc", "d"));
  EXPECT_THAT(rejected_, ElementsAre("in.jsonl:2: it is too long: 15 bytes, where `max_article` allows 14"));
}

TEST_F(ArticleLimitTest, ADocAndABook) {
  EXPECT_THAT(read("wikiextractor",
                   "<doc id=\"1\" title=\"A\">\nA\nlong text\nof it\n</doc>\n"
                   "<doc id=\"2\" title=\"B\">\nB\nshort\n</doc>\n"),
              ElementsAre("short\n"));
  EXPECT_THAT(rejected_, ElementsAre("in.wikiextractor:1: " + too_long(18)));
  rejected_.clear();
  EXPECT_THROW(read("books", "A book that is too long"), FormatError);
  EXPECT_THAT(rejected_, ElementsAre("in.books: " + too_long(23)));
}

TEST_F(ArticleLimitTest, OfALongLineTheBeginningIsKept) {
  EXPECT_THAT(read("articles", "one\n" + std::string(1'000'000, 'x') + "\n"), ElementsAre("one"));
  EXPECT_THAT(rejected_, ElementsAre("in.articles:2: " + too_long(1'000'000)));
  EXPECT_THAT(records_.front(), SizeIs(1 << 16));
}

TEST_F(ArticleLimitTest, MoreThanAGigabyteIsNoLimit) {
  options_.max_article = "2G";
  EXPECT_THROW(read("articles", "one\n"), ConfigError);
  options_.max_article = "nan";
  EXPECT_THROW(read("articles", "one\n"), ConfigError);
}

std::string packed(const std::string& bytes) {
  std::string out(bytes.size() + 1000, '\0');
  auto size = static_cast<unsigned>(out.size());
  EXPECT_EQ(BZ2_bzBuffToBuffCompress(out.data(), &size, const_cast<char*>(bytes.data()),
                                     static_cast<unsigned>(bytes.size()), 9, 0, 0),
            BZ_OK);
  out.resize(size);
  return out;
}

TEST_F(ArticleLimitTest, AFileThatExpandsTooFarIsRefused) {
  options_.max_article = "1M";
  const std::string bomb = packed(std::string(80 << 20, 'x'));
  try {
    read("articles", bomb);
    FAIL();
  } catch (const FormatError& error) {
    EXPECT_THAT(error.what(), HasSubstr("in.articles: it expands to more than 1000 times its size"));
  }
  options_.max_expansion = 10'000'000;
  EXPECT_THROW(read("articles", bomb), FormatError);
  EXPECT_THAT(rejected_, ElementsAre(HasSubstr("it is too long: 83886080 bytes")));
}

}  // namespace
}  // namespace bertprep::test
