#include "io/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "bertprep/base/error.h"
#include "support/thrown.h"

namespace bertprep {
namespace {

using testing::HasSubstr;

std::string failure(const std::string& bytes) {
  return test::thrown_by<FormatError>([&] { Json::parse(bytes, "x.json"); });
}

TEST(Json, KeepsTheTextOfNumbersAndTheOrderOfKeys) {
  const std::string line = R"({"z":-12345678901234567890123456789,"a":1e-05,"m":[1.10,0,-0.0,2E+400]})";
  EXPECT_EQ(Json::parse(line, "x.json").dump_line(), line);
}

TEST(Json, ReadsEveryKindAtTheRoot) {
  for (const char* text : {"null", "true", "false", "-1.5e3", "\"a\"", "[]", "{}"}) {
    EXPECT_EQ(Json::parse(text, "x.json").dump_line(), text);
    EXPECT_EQ(Json::parse(std::string("\r\n\t ") + text + " \n", "x.json").dump_line(), text);
  }
}

TEST(Json, RoundTripsStringsWithOddEscapes) {
  const Json json = Json::parse(R"(["\"\\\/\b\f\n\r\t","\u0000\u001f\u007f","\ud83d\ude00 \u00e9"])", "x.json");
  EXPECT_EQ(json.items()[0].text(), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(json.items()[1].text(), std::string("\0\x1f\x7f", 3));
  EXPECT_EQ(json.items()[2].text(), "\xF0\x9F\x98\x80 \xC3\xA9");
  EXPECT_EQ(json.dump_line(), "[\"\\\"\\\\/\\b\\f\\n\\r\\t\",\"\\u0000\\u001f\x7f\",\"\xF0\x9F\x98\x80 \xC3\xA9\"]");
  EXPECT_EQ(Json::parse(json.dump(), "x.json").dump(), json.dump());
}

TEST(Json, EveryCharacterBelow256SurvivesADump) {
  std::string all;
  for (int c = 0; c < 128; ++c) all += static_cast<char>(c);
  EXPECT_EQ(Json::parse(Json::string(all).dump(), "x.json").text(), all);
}

TEST(Json, WritesBytesThatAreNotUtf8AsReplacementCharacters) {
  EXPECT_EQ(Json::string("a\xFF\xC3z\xE2\x82").dump_line(), "\"a\xEF\xBF\xBD\xEF\xBF\xBDz\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

TEST(Json, DumpIndentsByTwo) {
  Json json = Json::object();
  json.add("name", Json::string("wiki")).add("none", Json::array()).add("empty", Json::object());
  json.add("shards", Json::array().push(Json::number(1)).push(Json::boolean(true)).push(Json()));
  EXPECT_EQ(json.dump(),
            "{\n  \"name\": \"wiki\",\n  \"none\": [],\n  \"empty\": {},\n  \"shards\": [\n    1,\n    "
            "true,\n    null\n"
            "  ]\n}\n");
  EXPECT_EQ(json.dump_line(), R"({"name":"wiki","none":[],"empty":{},"shards":[1,true,null]})");
}

TEST(Json, FindsTheLastOfEqualKeys) {
  const Json json = Json::parse(R"({"a":1,"b":{"c":"x"},"a":2})", "x.json");
  EXPECT_EQ(json.at("a").as_unsigned(), 2U);
  EXPECT_EQ(json.at("b").at("c").text(), "x");
  EXPECT_EQ(json.find("d"), nullptr);
  EXPECT_EQ(json.members().size(), 3U);
}

TEST(Json, NamesTheKeyThatIsMissing) {
  try {
    Json::object().at("sha256");
    FAIL() << "nothing thrown";
  } catch (const FormatError& error) {
    EXPECT_THAT(error.what(), HasSubstr("\"sha256\""));
  }
}

TEST(Json, RefusesToReadOneKindAsAnother) {
  EXPECT_THROW(Json::number(1).items(), FormatError);
  EXPECT_THROW(Json::array().members(), FormatError);
  EXPECT_THROW(Json::array().find("a"), FormatError);
  EXPECT_THROW(Json().text(), FormatError);
  EXPECT_THROW(Json::object().text(), FormatError);
  EXPECT_THROW(Json::string("1").as_unsigned(), FormatError);
  EXPECT_THROW(Json::string("true").as_bool(), FormatError);
  EXPECT_THROW(Json::array().add("a", Json()), FormatError);
  EXPECT_THROW(Json::object().push(Json()), FormatError);
}

TEST(Json, ReadsWholeNumbersUpTo64Bits) {
  EXPECT_EQ(Json::parse("18446744073709551615", "x").as_unsigned(), 18446744073709551615ULL);
  for (const char* text : {"18446744073709551616", "-1", "1.0", "1e3"}) {
    EXPECT_THROW(Json::parse(text, "x").as_unsigned(), FormatError) << text;
  }
}

TEST(Json, RefusesInvalidJson) {
  for (const char* text : {"",
                           " ",
                           "{",
                           "}",
                           "[",
                           "]",
                           "[1",
                           "[1,",
                           "[1,]",
                           "[,1]",
                           "[1 2]",
                           "[1][2]",
                           "1 2",
                           "1,2",
                           "1]",
                           "1] [2",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{\"a\":1",
                           "{a:1}",
                           "{\"a\" 1}",
                           "{'a':1}",
                           "{1:2}",
                           "{\"a\":1,}",
                           "\"a",
                           "a\"",
                           "\"\\x\"",
                           "\"\\u12",
                           "\"\\u12g4\"",
                           "\"\n\"",
                           "\"\x01\"",
                           "\"\\ud800\"",
                           "01",
                           "+1",
                           "1.",
                           ".5",
                           "1e",
                           "1e+",
                           "--1",
                           "-",
                           "0x10",
                           "NaN",
                           "nul",
                           "nulll",
                           "True",
                           "truefalse",
                           "[true false]",
                           "\xEF\xBB\xBF{}",
                           "{\"a\":1}}",
                           "[]]",
                           "/**/1",
                           "1//",
                           "[1}",
                           "{\"a\":1]",
                           "\"\\ude00\\ud83d\""}) {
    EXPECT_THAT(failure(text), HasSubstr("x.json")) << text;
  }
}

TEST(Json, SaysInWhichLineTheFaultIs) {
  EXPECT_THAT(failure("{\n  \"a\": 1,\n  \"b\": 01\n}\n"), HasSubstr("x.json:3: "));
  EXPECT_THAT(failure("{\n  \"a\": \"\xFF\"\n}\n"), HasSubstr("x.json:2: invalid UTF-8 at byte 10"));
}

TEST(Json, RefusesDeepNestingInsteadOfOverflowingTheStack) {
  EXPECT_EQ(failure(std::string(150, '[') + std::string(150, ']')), "nothing thrown");
  EXPECT_THAT(failure(std::string(100000, '[') + std::string(100000, ']')), HasSubstr("x.json"));
  EXPECT_THAT(failure(std::string(300, '[') + std::string(300, ']')), HasSubstr("nested deeper"));
}

TEST(JsonNumber, FollowsTheGrammar) {
  for (const char* good : {"0", "-0", "10", "0.5", "-1.25", "1e5", "1E-5", "1.0e+10"}) {
    EXPECT_TRUE(is_json_number(good)) << good;
  }
  for (const char* bad : {"", "-", "00", "01", "1.", ".1", "1e", "1e-", " 1", "1 ", "0x1", "1.e1", "inf"}) {
    EXPECT_FALSE(is_json_number(bad)) << bad;
  }
  EXPECT_THROW(Json::number_text("nan"), FormatError);
}

}  // namespace
}  // namespace bertprep
