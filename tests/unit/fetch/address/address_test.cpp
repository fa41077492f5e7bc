#include "fetch/address/address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/thrown.h"
#include "unicode/utf8_text.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Address, NamesAPlaceAndAPath) {
  const Address set = parse_address("hf://datasets/org/set");
  EXPECT_EQ(set.place, "org/set");
  EXPECT_EQ(set.revision + set.path, "");
  const Address file = parse_address("hf://datasets/org/set@v1.0/data/a b.jsonl");
  EXPECT_EQ(file.place, "org/set");
  EXPECT_EQ(file.revision, "v1.0");
  EXPECT_EQ(file.path, "data/a b.jsonl");
  for (const char* text : {"hf://datasets/org/set@refs/convert/parquet/plain/*.parquet",
                           "hf://datasets/org/set@refs%2Fconvert%2Fparquet/plain/*.parquet"}) {
    const Address pattern = parse_address(text);
    EXPECT_EQ(pattern.revision, "refs/convert/parquet");
    EXPECT_EQ(pattern.path, "plain/*.parquet");
    EXPECT_EQ(pattern.plain_path(), "plain/");
    EXPECT_TRUE(pattern.is_pattern());
  }
  const Address bucket = parse_address("s3://my.bucket/a/b/");
  EXPECT_EQ(bucket.place, "my.bucket");
  EXPECT_EQ(bucket.path, "a/b/");
  EXPECT_EQ(parse_address("https://host.invalid/x/a%20b.txt").path, "a b.txt");
}

TEST(Address, WhatIsIncompleteIsRefused) {
  for (const char* text : {"hf://org/set", "hf://datasets/org", "hf://datasets/org/", "hf://datasets//set",
                           "hf://datasets/org/set@/x", "s3://", "s3:///key", "https://host.invalid",
                           "https://host.invalid/folder/", "https://user:word@host.invalid/x"}) {
    EXPECT_THROW(parse_address(text), ConfigError) << text;
  }
  EXPECT_FALSE(is_address("gs://bucket/x"));
  EXPECT_FALSE(is_address("s3:/bucket/x"));
}

TEST(Address, AQueryIsNotShown) {
  const std::string text = "https://host.invalid/a.txt?signature=word";
  EXPECT_EQ(parse_address(text).text, "https://host.invalid/a.txt");
  EXPECT_EQ(parse_address(text).query, "signature=word");
  EXPECT_THAT(shown_address(text), Not(HasSubstr("word")));
  EXPECT_NE(shown_address(text), shown_address("https://host.invalid/a.txt?signature=other"));
  EXPECT_THAT(thrown_by<ConfigError>([] { parse_address("https://user:word@host.invalid/x"); }),
              Not(HasSubstr("word@")));
}

TEST(Address, TakesWhatIsBelowItsPath) {
  const auto taken = [](const char* address, const char* path) { return takes(parse_address(address), path); };
  EXPECT_TRUE(taken("s3://b", "a/b"));
  EXPECT_TRUE(taken("s3://b/a", "a/b"));
  EXPECT_TRUE(taken("s3://b/a", "a"));
  EXPECT_FALSE(taken("s3://b/a", "ab"));
  EXPECT_FALSE(taken("s3://b/a/", "a"));
  EXPECT_TRUE(taken("s3://b/a*", "ab/c"));
  EXPECT_TRUE(taken("s3://b/*.txt", "a/b.txt"));
  EXPECT_FALSE(taken("s3://b/*.txt", "a/b.txt.gz"));
}

TEST(Address, EncodesAsSignaturesNeed) {
  EXPECT_EQ(url_encoded("a b/c+d~\xc3\xa9"), "a%20b%2Fc%2Bd~%C3%A9");
  EXPECT_EQ(url_encoded("a/b", true), "a/b");
  EXPECT_EQ(url_decoded("a%20b%2fc%zz%4"), "a b/c%zz%4");
}

}  // namespace
}  // namespace bertprep::test
