// place_articles equals its plain twin, also where the reference idles for long, and loses no article.
#include "pipeline/text_shards/shard_assignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "base/fields.h"
#include "twins/assignment.h"

namespace bertprep::test {
namespace {

struct Case {
  std::vector<std::uint32_t> sentences;
  ShardingOptions options;
};

std::string described(const Case& given) {
  std::string text;
  for (const std::uint32_t count : given.sentences) text += std::to_string(count) + ",";
  for (const auto& value : recipe_of(given.options)) text += " " + value.name + "=" + value.value;
  return text;
}

class Cases {
 public:
  explicit Cases(std::uint32_t seed) : engine_(seed) {}

  Case next() {
    Case made;
    made.options.train_shards = one_of({1, 2, 3, 8, between(1, 40)});
    made.options.test_shards = one_of({1, 2, 3, 8, between(1, 40)});
    made.options.test_fraction = static_cast<double>(one_of({0, 1, 1, 1, 3, 5, 9, 10})) / 10;
    const std::int64_t shards = made.options.train_shards + made.options.test_shards;
    const std::int64_t articles = shards + one_of({0, 1, between(0, 20), between(0, 400)});
    const std::int64_t kind = between(0, 4);
    for (std::int64_t k = 0; k < articles; ++k) {
      made.sentences.push_back(static_cast<std::uint32_t>(length(kind)));
    }
    return made;
  }

 private:
  std::int64_t between(std::int64_t first, std::int64_t last) {
    return std::uniform_int_distribution<std::int64_t>(first, last)(engine_);
  }
  std::int64_t one_of(std::initializer_list<std::int64_t> values) {
    return *(values.begin() + between(0, static_cast<std::int64_t>(values.size()) - 1));
  }
  std::int64_t length(std::int64_t kind) {
    switch (kind) {
      case 0:
        return 1;
      case 1:
        return between(1, 5);
      case 2:
        return between(1, 400);
      case 3:  // few lengths with wide gaps
        return one_of({2, 2, 2, 300, 1500});
      default:
        return 1 + static_cast<std::int64_t>(std::exp(std::normal_distribution<>(2.2, 1.1)(engine_)));
    }
  }

  std::mt19937 engine_;
};

void expect_every_article_once(const ShardAssignment& assignment, std::size_t articles) {
  std::vector<int> seen(articles, 0);
  for (const auto* split : {&assignment.training, &assignment.test}) {
    for (const auto& shard : *split) {
      EXPECT_FALSE(shard.empty());
      for (const std::uint32_t article : shard) ++seen[article];
    }
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(articles));
}

class ShardAssignmentProperty : public testing::TestWithParam<std::uint32_t> {};

TEST_P(ShardAssignmentProperty, ShardsAreThoseOfThePlainTwin) {
  Cases cases(GetParam());
  for (int round = 0; round < 150; ++round) {
    const Case given = cases.next();
    const ShardAssignment assignment = place_articles(given.sentences, given.options);
    const ShardAssignment expected = plain_assignment(given.sentences, given.options);
    ASSERT_EQ(assignment.training, expected.training) << described(given);
    ASSERT_EQ(assignment.test, expected.test) << described(given);
    expect_every_article_once(assignment, given.sentences.size());
  }
}

TEST(AssignmentOfManyArticles, IsThatOfThePlainTwin) {
  std::mt19937 engine(5);
  std::lognormal_distribution<> length(2.2, 1.1);
  std::vector<std::uint32_t> sentences(20000);
  for (auto& count : sentences) count = 1 + static_cast<std::uint32_t>(length(engine));
  const ShardingOptions reference{.train_shards = 256, .test_shards = 256};
  const ShardAssignment assignment = place_articles(sentences, reference);
  const ShardAssignment expected = plain_assignment(sentences, reference);
  EXPECT_TRUE(assignment.training == expected.training);
  EXPECT_TRUE(assignment.test == expected.test);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ShardAssignmentProperty, testing::Range(1U, 9U));

}  // namespace
}  // namespace bertprep::test
