#include "pipeline/text_shards/shard_assignment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/fields.h"
#include "bertprep/base/error.h"
#include "support/thrown.h"

namespace bertprep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string complaint(const std::vector<std::uint32_t>& sentences, const ShardingOptions& options) {
  return test::thrown_by([&] { place_articles(sentences, options); });
}

TEST(ShardAssignmentTest, DefaultsAreTheReferences) {
  std::string text;
  for (const FieldValue& value : recipe_of(resolve_sharding({}, 7'000'000)))
    text += value.name + "=" + value.value + " ";
  EXPECT_EQ(text, "train-shards=256 test-shards=256 test-fraction=0.1 ");
}

TEST(ShardAssignmentTest, LongestArticlesComeFirstAndTheLastOfEqualOnes) {
  const std::vector<std::uint32_t> sentences{5, 9, 5};
  const ShardAssignment assignment =
      place_articles(sentences, {.train_shards = 2, .test_shards = 1, .test_fraction = 0.1});
  EXPECT_THAT(assignment.training, ElementsAre(ElementsAre(1), ElementsAre(2)));
  EXPECT_THAT(assignment.test, ElementsAre(ElementsAre(0)));
}

// The reference needs half a billion passes to reach the last article.
TEST(ShardAssignmentTest, LongIdlingIsSkipped) {
  const std::vector<std::uint32_t> sentences{1'000'000'000, 1'000'000'000, 1'000'000'000};
  const ShardAssignment assignment =
      place_articles(sentences, {.train_shards = 1, .test_shards = 1, .test_fraction = 0.5});
  EXPECT_THAT(assignment.training, ElementsAre(ElementsAre(2, 0)));
  EXPECT_THAT(assignment.test, ElementsAre(ElementsAre(1)));
}

TEST(ShardAssignmentTest, NoArticlesAreAnError) {
  EXPECT_THAT(complaint({}, {.train_shards = 1, .test_shards = 1}), HasSubstr("there are no articles"));
}

TEST(ShardAssignmentTest, TooFewArticlesNameAFittingNumber) {
  const std::vector<std::uint32_t> ten(10, 3);
  EXPECT_THAT(complaint(ten, {.train_shards = 8, .test_shards = 4}), HasSubstr("10 articles cannot fill 8 training"));
  EXPECT_THAT(complaint(ten, {.train_shards = 8, .test_shards = 4}), HasSubstr("`train_shards` 6 `test_shards` 3"));
  EXPECT_THAT(complaint(ten, {.train_shards = 256, .test_shards = 256}), HasSubstr("`train_shards` 5 `test_shards` 5"));
  EXPECT_THAT(complaint(ten, {.train_shards = 1000, .test_shards = 1}), HasSubstr("`train_shards` 9 `test_shards` 1"));
  EXPECT_THAT(complaint(ten, {.train_shards = 1, .test_shards = 1000}), HasSubstr("`train_shards` 1 `test_shards` 9"));
  EXPECT_THAT(complaint({4}, {.train_shards = 1, .test_shards = 1}), HasSubstr("at least two articles"));
  EXPECT_EQ(complaint(ten, {.train_shards = 6, .test_shards = 3}), "nothing thrown");
}

TEST(ShardAssignmentTest, ArticleWithoutSentencesIsAnError) {
  EXPECT_THAT(complaint({4, 0, 2}, {.train_shards = 1, .test_shards = 1}), HasSubstr("article 1 has no sentences"));
}

TEST(ShardAssignmentTest, RangesAreChecked) {
  EXPECT_THAT(complaint({4, 4}, {.train_shards = -1, .test_shards = 1}), HasSubstr("`train_shards` is -1"));
  EXPECT_THAT(complaint({4, 4}, {.train_shards = 1, .test_shards = -1}), HasSubstr("`test_shards` is -1"));
  EXPECT_THAT(complaint({4, 4}, {.train_shards = 0, .test_shards = 1}), HasSubstr("are not set"));
  EXPECT_THAT(complaint({4, 4}, {.train_shards = 1, .test_shards = 1, .test_fraction = 1.5}),
              HasSubstr("`test_fraction` is 1.5"));
}

}  // namespace
}  // namespace bertprep
