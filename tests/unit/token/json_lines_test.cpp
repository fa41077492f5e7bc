// The reader of golden files could hide mistakes if it had faults.
#include "support/json_lines.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace bertprep::test {
namespace {

TEST(JsonLines, ReadsNestedValues) {
  const JsonValue row = parse_json(R"( {"a": ["x", [1, -2]], "b": {}, "c": null, "d": []} )");
  EXPECT_EQ(row.at("a")[0].text, "x");
  EXPECT_EQ(row.at("a")[1].integers(), (std::vector<int>{1, -2}));
  EXPECT_EQ(row.at("c").text, "null");
  EXPECT_TRUE(row.at("d").items.empty());
  EXPECT_THROW(row.at("e"), std::runtime_error);
}

TEST(JsonLines, DecodesEscapes) {
  EXPECT_EQ(parse_json(R"("\"\\\/\n\t")").text, "\"\\/\n\t");
  EXPECT_EQ(parse_json(R"("\u0041\u00e9\u20ac\ud83d\ude00")").text, "A\u00e9\u20ac\U0001F600");
  EXPECT_EQ(parse_json(R"("\u0000")").text, std::string(1, '\0'));
}

TEST(JsonLines, RefusesBrokenLines) {
  for (const char* line : {"", "[1, 2", "\"x", "[1] 2", "{\"a\" 1}", "\"\\u12\"", "{1: 2}"}) {
    EXPECT_THROW(parse_json(line), std::runtime_error) << line;
  }
}

}  // namespace
}  // namespace bertprep::test
