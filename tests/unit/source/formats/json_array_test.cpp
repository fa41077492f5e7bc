// Arrays of objects, read like JSON Lines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "source/formats/jsonl_source.h"
#include "source/source_pieces.h"
#include "support/memory_stream.h"
#include "support/packed.h"
#include "support/read_documents.h"
#include "support/temp_folder.h"
#include "support/thrown.h"

namespace bertprep {
namespace {

using test::Articles;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class JsonArrayTest : public testing::Test {
 protected:
  test::Reading read(std::string_view bytes, const char* format = "jsonl") {
    path_ = folder_.write("x.json", bytes);
    return test::read_documents({path_}, {.format = input_format(format)});
  }
  std::string failure(std::string_view bytes) {
    return test::thrown_by<FormatError>([&] { read(bytes); });
  }
  // In blocks of this size, like streams.
  std::vector<std::string> elements(const std::string& bytes, std::size_t block_bytes) {
    const auto elements = json_elements("x", std::make_unique<test::MemoryStream>(bytes, block_bytes), 1 << 20);
    std::vector<std::string> found;
    for (std::string element; elements->next(element);) found.push_back(element);
    return found;
  }

  test::TempFolder folder_;
  std::filesystem::path path_;
};

TEST_F(JsonArrayTest, IsReadHoweverItIsLaidOut) {
  const Articles expected{{"", "a ]}\" b"}, {"T", "c"}};
  for (const char* bytes : {R"([{"text":"a ]}\" b"},{"text":"c","title":"T"}])",
                            "[{\"text\":\"a ]}\\\" b\"}\n,{\"title\":\"T\",\"text\":\"c\"}]\n",
                            "[\n{\"text\":\"a ]}\\\" b\"},\n{\"title\":\"T\",\"text\":\"c\"}\n]\n",
                            "\xEF\xBB\xBF\n [\n  {\n    \"meta\": [1, {\"x\": [[]]}],\n    \"text\": \"a ]}\\\" b\"\n  "
                            "},\r\n  {\n    \"title\": \"T\",\n"
                            "    \"text\": \"c\"\n  }\n]\n\n"}) {
    for (const char* format : {"jsonl", "auto"}) {
      const auto reading = read(bytes, format);
      EXPECT_EQ(reading.articles, expected) << bytes;
      EXPECT_THAT(reading.rejected, IsEmpty()) << bytes;
    }
  }
}

TEST_F(JsonArrayTest, IsReadFromCompressedFilesAndArchives) {
  const std::string array = R"([{"text":"a"},{"text":"b"}])";
  EXPECT_EQ(read(test::compress("gzip", array), "auto").articles, (Articles{{"", "a"}, {"", "b"}}));
  EXPECT_EQ(read(test::pack("none", "zip", {{"x.json", array}}), "auto").articles, (Articles{{"", "a"}, {"", "b"}}));
}

TEST_F(JsonArrayTest, BadElementsAreRejectedWithTheirPlace) {
  const auto reading = read("[{\"text\":\"a\"}, 7, null, \"s\",\n [1], {\"text\":3}, {\"x\":tru}, {\"text\":\"b\"}]");
  EXPECT_EQ(reading.articles, (Articles{{"", "a"}, {"", "b"}}));
  std::vector<std::string> places;
  for (const auto& one : reading.rejected) places.push_back(one.where.substr(path_.string().size()) + " " + one.record);
  EXPECT_THAT(places, ElementsAre(":1, byte 15 7", ":1, byte 18 null", ":1, byte 24 \"s\"", ":2, byte 30 [1]",
                                  ":2, byte 35 {\"text\":3}", ":2, byte 47 {\"x\":tru}"));
}

TEST_F(JsonArrayTest, AnElementThatIsBrokenCostsNoOtherWhereElementsBeginLines) {
  for (const char* bad : {"  {\n    \"text\": \"no quote\n  },\n", "  {\n    \"text\": [\"x\"}\n  },\n",
                          "  {\n    \"text\": \"x\", {}\n  },\n", "  {\n    \"text\": \"x\n  {\"\n  },\n"}) {
    const auto reading =
        read("[\n  {\n    \"text\": \"a\"\n  },\n" + std::string(bad) + "  {\n    \"text\": \"b\"\n  }\n]\n");
    EXPECT_EQ(reading.articles, (Articles{{"", "a"}, {"", "b"}})) << bad;
    ASSERT_GE(reading.rejected.size(), 1U) << bad;
    EXPECT_THAT(reading.rejected[0].where, HasSubstr(".json:5, byte 29")) << bad;
    EXPECT_THAT(reading.rejected[0].reason, StartsWith("broken JSON")) << bad;
  }
}

TEST_F(JsonArrayTest, TheLastElementMayBeBrokenToo) {
  const auto reading = read("[\n {\"text\":\"a\"},\n {\"text\":\"b\n]\n");
  EXPECT_EQ(reading.articles, (Articles{{"", "a"}}));
  EXPECT_EQ(reading.rejected.size(), 1U);
}

TEST_F(JsonArrayTest, ACommaThatIsMissingBetweenLinesIsForgiven) {
  EXPECT_EQ(read("[\n {\"text\":\"a\"}\n {\"text\":\"b\"}\n]\n").articles, (Articles{{"", "a"}, {"", "b"}}));
}

TEST_F(JsonArrayTest, ReportsWhereItIsTruncatedOrWrong) {
  EXPECT_THAT(failure("[{\"text\":\"a\"},\n {\"te"),
              HasSubstr("x.json:2: broken JSON array: the file ends within an element (byte 20)"));
  EXPECT_THAT(failure("[{\"text\":\"a\"}"), HasSubstr("the file ends within it (byte 13)"));
  EXPECT_THAT(failure("[{\"text\":\"a\"},]"), HasSubstr("an element is missing after a comma"));
  EXPECT_THAT(failure("[{\"text\":\"a\"}]\n[]"), HasSubstr("x.json:2: broken JSON array: something follows its end"));
  EXPECT_THAT(failure("[{\"text\":\"a\"} {\"text\":\"b\"}]"), HasSubstr("a quote, comma or bracket is missing"));
  EXPECT_THAT(failure("[{\"text\":\"a\n\"}, {\"text\":\"b\"}]"), HasSubstr("a quote, comma or bracket is missing"));
  EXPECT_THAT(failure("[]"), HasSubstr("not a single article"));
}

TEST_F(JsonArrayTest, ReadsTheElementsBeforeATruncation) {
  path_ = folder_.write("x.json", "[{\"text\":\"a\"}, {\"te");
  const auto source = open_source(std::vector{path_}, {.format = InputFormat::kJsonl}, {});
  Document document;
  ASSERT_TRUE(source->next(document));
  EXPECT_EQ(document.text, "a");
  EXPECT_THROW(source->next(document), FormatError);
}

TEST_F(JsonArrayTest, BlocksOfAnySizeGiveTheSame) {
  std::string array = "[";
  for (int i = 0; i < 40; ++i) {
    array += (i == 0 ? "\n  " : ",\n  ") + std::string(R"({"n": )") + std::to_string(i) +
             R"(, "s": "\\\"{[", "a": [{}, []]})";
  }
  array += ",\n  {\"s\": \"open\n  },\n  {},\n  -1.5e3, true\n]\n";
  const auto whole = elements(array, array.size());
  ASSERT_EQ(whole.size(), 44U);
  EXPECT_EQ(whole[43], "true");
  for (std::size_t bytes = 1; bytes < 70; ++bytes) EXPECT_EQ(elements(array, bytes), whole) << bytes;
}

TEST_F(JsonArrayTest, IsOnePieceOfAnArrayJob) {
  std::string array = "[";
  for (int i = 0; i < 3000; ++i)
    array += (i == 0 ? "" : ",\n") + std::string("{\"text\":\"article ") + std::to_string(i) + "\"}";
  const std::vector<std::filesystem::path> inputs{folder_.write("x.json", array + "]")};
  const auto pieces = split_source(inputs, {.format = InputFormat::kJsonl}, 10'000, {}, {});
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_EQ(
      test::drain(*finish_documents(open_source_piece(inputs, pieces[0], {.format = InputFormat::kJsonl}, {}, {}), {}))
          .size(),
      3000U);
}

TEST(JsonScan, ProseThatBeginsWithABracketIsNoJson) {
  for (const char* text :
       {"[1] A. Smith, Rivers.", "[Illustration: a lamp]", "[\"Well,\" he said.]", "{curly}", "[[a link]]"}) {
    EXPECT_FALSE(begins_as_json_objects(text)) << text;
    EXPECT_FALSE(begins_as_json_strings(text)) << text;
  }
  EXPECT_TRUE(begins_as_json_objects("[\n {\n \"a\""));
  EXPECT_TRUE(begins_as_json_strings("[ \"a\\\"b\" ,"));
}

}  // namespace
}  // namespace bertprep
