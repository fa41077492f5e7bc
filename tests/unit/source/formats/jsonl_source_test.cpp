#include "source/formats/jsonl_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "support/read_documents.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class JsonlSourceTest : public testing::Test {
 protected:
  test::Reading read(std::string_view bytes, const std::string& text_field = "text", bool strict = false) {
    path_ = folder_.write("x.jsonl", bytes);
    return test::read_documents({path_}, {.format = InputFormat::kJsonl, .text_field = text_field, .strict = strict});
  }

  // The reason why a line is rejected.
  std::string reason(const std::string& line, const std::string& text_field = "text") {
    const auto reading = read(R"({"text":"good","a":{"b":"good"}})" + ("\n" + line + "\n"), text_field);
    EXPECT_EQ(reading.articles.size(), 1U) << line;
    if (reading.rejected.size() != 1) return "nothing set aside";
    EXPECT_EQ(reading.rejected[0].where, path_.string() + ":2");
    EXPECT_EQ(reading.rejected[0].record, line);
    return reading.rejected[0].reason;
  }

  test::TempFolder folder_;
  std::filesystem::path path_;
};

using test::Articles;

TEST_F(JsonlSourceTest, ReadsTextAndTitle) {
  EXPECT_EQ(read("{\"title\":\"T\",\"text\":\"a\\nb\"}\n{\"text\":\" c \",\"title\":7}\n").articles,
            (Articles{{"T", "a\nb"}, {"", " c "}}));
}

TEST_F(JsonlSourceTest, UnescapesText) {
  EXPECT_EQ(read(R"({"text":"\u00e9 \ud83d\ude00 \"\\\/\t"})").articles,
            (Articles{{"", "\xC3\xA9 \xF0\x9F\x98\x80 \"\\/\t"}}));
}

TEST_F(JsonlSourceTest, IgnoresBlankLinesByteOrderMarkAndCarriageReturns) {
  const auto reading = read("\xEF\xBB\xBF{\"text\":\"a\"}\r\n\r\n  \t\n\n{\"text\":\"b\"}");
  EXPECT_EQ(reading.articles, (Articles{{"", "a"}, {"", "b"}}));
  EXPECT_TRUE(reading.rejected.empty());
}

TEST_F(JsonlSourceTest, FindsNestedFields) {
  EXPECT_EQ(read(R"({"doc":{"body":{"raw":"x"},"text":"y"},"text":"z"})", "doc.body.raw").articles,
            (Articles{{"", "x"}}));
  EXPECT_EQ(read(R"({"a.b":"whole","a":{"b":"parts"}})", "a.b").articles, (Articles{{"", "whole"}}));
  EXPECT_EQ(read(R"({"a":{"b.c":"x"}})", "a.b.c").articles, (Articles{{"", "x"}}));
}

TEST_F(JsonlSourceTest, TakesTheLastOfEqualKeys) {
  EXPECT_EQ(read(R"({"text":"a","text":"b"})").articles, (Articles{{"", "b"}}));
  EXPECT_EQ(read(R"({"text":"a","n":1e999,"text":"b"})").articles, (Articles{{"", "b"}}));
}

TEST_F(JsonlSourceTest, AcceptsNumbersOfAnySize) {
  const std::string big = R"({"n":123456789012345678901234567890,"m":-1e9999,"title":"T","a":{"b":"x"},"text":"y"})";
  EXPECT_EQ(read(big).articles, (Articles{{"T", "y"}}));
  EXPECT_EQ(read(big, "a.b").articles, (Articles{{"T", "x"}}));
  EXPECT_EQ(reason(R"({"n":123456789012345678901234567890})"), "no field \"text\": the record has \"n\"");
  EXPECT_THAT(reason(R"({"n":123456789012345678901234567890x,"text":"a"})"), StartsWith("broken JSON"));
}

TEST_F(JsonlSourceTest, AcceptsTheWordsThatPythonWritesForNumbers) {
  for (const char* line :
       {R"({"text":"a","n":NaN})", R"({"n":[1.0, NaN,-Infinity],"text":"a"})", R"({"n": Infinity ,"text":"a"})",
        R"({"n":{"m":NaN},"k":"\"NaN","text":"a","o":1e999})", R"({"id":NaN,"title":Infinity,"text":"a"})"}) {
    const auto path = folder_.write("n.jsonl", line);
    const auto source = open_source(std::vector{path}, {.format = InputFormat::kJsonl}, {});
    Document document;
    ASSERT_TRUE(source->next(document)) << line;
    EXPECT_EQ(document.text, "a") << line;
    EXPECT_EQ(document.title, "");
    EXPECT_EQ(document.origin.page_id, "");
    EXPECT_THAT(source->take_remarks().at(0).text, HasSubstr("NaN or Infinity")) << line;
  }
  EXPECT_EQ(read(R"({"text":"NaN, Infinity: \"-Infinity"})").articles, (Articles{{"", "NaN, Infinity: \"-Infinity"}}));
  EXPECT_EQ(reason(R"({"text":NaN})"), "field \"text\" is not a string");
  EXPECT_EQ(reason("NaN"), "not a JSON object");
  for (const char* line : {R"({"text":"a","n":nan})", R"({"text":"a","n":+Infinity})", R"({"text":"a","n":NaNs})",
                           R"({"text":"a",NaN:1})", R"({NaN:1,"text":"a"})", R"({"text":"a","n":-NaN})",
                           R"({"text":"a","n":Inf})", R"({"text":"a","n":NaN NaN})", R"({"text":"a","n":-})"}) {
    EXPECT_THAT(reason(line), StartsWith("broken JSON: ")) << line;
  }
}

TEST_F(JsonlSourceTest, SaysWhyALineIsSetAside) {
  EXPECT_EQ(reason(R"({"body":"a"})"), "no field \"text\": the record has \"body\"");
  EXPECT_EQ(reason("{}"), "no field \"text\": the record has no keys");
  EXPECT_EQ(reason(R"({"a":{"c":1,"d":2},"b":0})", "a.b"), "no field \"a.b\": \"a\" has \"c\", \"d\"");
  EXPECT_EQ(reason(R"({"1":0,"2":0,"3":0,"4":0,"5":0,"6":0,"7":0,"8":0,"9":0,"10":0})"),
            R"(no field "text": the record has "1", "2", "3", "4", "5", "6", "7", "8" and 2 more)");
  EXPECT_EQ(reason("{\"" + std::string(39, 'k') + "\xC3\xA9t\\u001b\":1}"),
            "no field \"text\": the record has \"" + std::string(39, 'k') + "…\"");
  EXPECT_EQ(reason(R"({"a":"x"})", "a.b"), "no field \"a.b\": the record has \"a\"");
  EXPECT_EQ(reason(R"({"a":["b"]})", "a.b"), "no field \"a.b\": the record has \"a\"");
  EXPECT_EQ(reason(R"({"text":null})"), "field \"text\" is not a string");
  EXPECT_EQ(reason(R"({"text":["a"]})"), "field \"text\" is not a string");
  EXPECT_EQ(reason(R"({"text":" \u00a0"})"), "field \"text\" is empty");
  EXPECT_EQ(reason(R"(["text"])"), "not a JSON object");
  EXPECT_EQ(reason("\"text\""), "not a JSON object");
}

TEST_F(JsonlSourceTest, JoinsSeveralFieldsAsParagraphs) {
  EXPECT_EQ(read(R"({"title":"T","abstract":"a\nb","x":{"y":"c"}})", "title,abstract,x.y").articles,
            (Articles{{"T", "T\n\na\nb\n\nc"}}));
  EXPECT_EQ(read(R"({"title":"T","abstract":null,"n":1e999})", "abstract,title,body").articles, (Articles{{"T", "T"}}));
  EXPECT_EQ(read(R"({"title":" ","abstract":"a"})", "title,abstract").articles, (Articles{{" ", "a"}}));
  EXPECT_EQ(read(R"({"a,b":"whole","a":"part"})", "a,b").articles, (Articles{{"", "whole"}}));
}

TEST_F(JsonlSourceTest, SaysWhyNoneOfSeveralFieldsWillDo) {
  const auto rejected = [&](const std::string& line) {
    const auto reading = read("{\"a\":\"good\"}\n" + line + "\n", "a,b");
    return reading.rejected.empty() ? "taken" : reading.rejected[0].reason;
  };
  EXPECT_EQ(rejected(R"({"a":" ","b":null,"c":"x"})"),
            R"(none of the fields "a", "b" has text: the record has "a", "b", "c")");
  EXPECT_EQ(rejected(R"({"a":"x","b":3})"), R"(field "b" is not a string)");
}

TEST_F(JsonlSourceTest, SetsAsideBrokenJson) {
  for (const char* line : {"{\"text\":\"a\"", "{\"text\":\"a\"}}", "{\"text\":\"a\"} {\"text\":\"b\"}", "text",
                           "{'text':'a'}", "{\"text\":\"a\",}", "{\"text\":\"\\ud800\"}", "{\"text\":\"a\tb\"}",
                           "{\"text\":\"a\" \"b\":1}", "{\"text\":\"a\",\"n\":01}", "{\"text\":\"a\",\"n\":tru}"}) {
    EXPECT_THAT(reason(line), StartsWith("broken JSON: ")) << line;
  }
}

TEST_F(JsonlSourceTest, GivesTheByteInTheFileWhereUtf8IsBroken) {
  EXPECT_EQ(reason("{\"text\":\"a\xFF\"}"), "invalid UTF-8 at byte 43");
}

TEST_F(JsonlSourceTest, StrictEndsAtTheFirstBadLine) {
  try {
    read("{\"text\":\"a\"}\n\n{\"text\":1}\n", "text", true);
    FAIL() << "no error";
  } catch (const FormatError& error) {
    EXPECT_EQ(error.where(), path_.string() + ":3");
    EXPECT_THAT(error.what(), HasSubstr("field \"text\" is not a string"));
  }
}

TEST_F(JsonlSourceTest, WithoutASinkABadLineIsAnError) {
  const std::vector<std::filesystem::path> inputs{folder_.write("x.jsonl", "{}\n")};
  Document document;
  EXPECT_THROW(open_source(inputs, {.format = InputFormat::kJsonl}, {})->next(document), FormatError);
}

TEST_F(JsonlSourceTest, OneWorkerFinishesAfterABadLine) {
  const auto reading = read("{}\n{\"text\":\"a\"}\n{}\n");
  EXPECT_EQ(reading.articles, (Articles{{"", "a"}}));
  EXPECT_EQ(reading.rejected.size(), 2U);
}

TEST_F(JsonlSourceTest, RefusesObjectsOverSeveralLines) {
  EXPECT_THROW(read("{ \"text\": \"a\",\n  \"title\": \"b\" }\n"), FormatError);
  EXPECT_EQ(read("{\"text\":\"cut\n{\"text\":\"b\"}\n").rejected.size(), 1U) << "a bad first line is a bad line";
  EXPECT_EQ(read("{\"text\":[\n{\"text\":\"b\"}\n").rejected.size(), 1U);
  try {
    read("\n{\n  \"text\": \"a\"\n}\n");
    FAIL() << "no error";
  } catch (const FormatError& error) {
    EXPECT_EQ(error.where(), path_.string() + ":2");
    EXPECT_THAT(error.what(), HasSubstr("jq -c"));
  }
}

TEST_F(JsonlSourceTest, KeepsWhereAnArticleIsFrom) {
  const std::vector<std::filesystem::path> inputs{folder_.write(
      "x.jsonl", "\n{\"text\":\"a\",\"id\":\"7a\",\"url\":\"http://x\"}\n{\"text\":\"b\",\"id\":12,\"url\":1}\n")};
  const auto source = open_source(inputs, {.format = InputFormat::kJsonl}, {});
  Document document;
  ASSERT_TRUE(source->next(document));
  EXPECT_EQ(document.origin.source, inputs[0]);
  EXPECT_EQ(document.origin.line, 2U);
  EXPECT_EQ(document.origin.byte, 1U);
  EXPECT_EQ(document.origin.page_id, "7a");
  EXPECT_EQ(document.origin.url, "http://x");
  ASSERT_TRUE(source->next(document));
  EXPECT_EQ(document.origin.line, 3U);
  EXPECT_EQ(document.origin.page_id, "12");
  EXPECT_EQ(document.origin.url, "");
}

TEST_F(JsonlSourceTest, ContinuesAfterBadLinesInTheSameOrder) {
  std::string bytes;
  Articles expected;
  for (int i = 0; i < 500; ++i) {
    bytes += "{\"text\":\"" + std::to_string(i) + "\"}\n{\"text\":" + std::to_string(i) + "}\n";
    expected.push_back({"", std::to_string(i)});
  }
  const auto reading = read(bytes);
  EXPECT_EQ(reading.articles, expected);
  ASSERT_EQ(reading.rejected.size(), 500U);
  EXPECT_EQ(reading.rejected[499].where, path_.string() + ":1000");
}

}  // namespace
}  // namespace bertprep
