// place_articles against 800 assignments recorded from the reference.
#include "pipeline/text_shards/shard_assignment.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <string>
#include <vector>

#include "support/golden_data.h"

namespace bertprep::test {
namespace {

using ShardAssignmentGolden = GoldenTest;
using Shards = std::vector<std::vector<std::uint32_t>>;

std::vector<std::uint32_t> numbers(simdjson::dom::element list) {
  std::vector<std::uint32_t> values;
  for (const auto value : list.get_array()) values.push_back(static_cast<std::uint32_t>(value.get_uint64().value()));
  return values;
}

Shards shards(simdjson::dom::element list) {
  Shards all;
  for (const auto shard : list.get_array()) all.push_back(numbers(shard));
  return all;
}

TEST_F(ShardAssignmentGolden, ShardsHoldTheArticlesOfTheReference) {
  simdjson::dom::parser parser;
  std::size_t cases = 0;
  for (const std::string& line : read_lines(goldens() / "vectors" / "sharding.jsonl")) {
    const simdjson::dom::element golden = parser.parse(line).value();
    const ShardingOptions options{.train_shards = golden["train"].get_int64().value(),
                                  .test_shards = golden["test"].get_int64().value(),
                                  .test_fraction = golden["fraction"].get_double().value()};
    const ShardAssignment assignment = place_articles(numbers(golden["sizes"].value()), options);
    ASSERT_EQ(assignment.training, shards(golden["result"].at(0).value())) << line;
    ASSERT_EQ(assignment.test, shards(golden["result"].at(1).value())) << line;
    ++cases;
  }
  EXPECT_EQ(cases, 800U);
}

}  // namespace
}  // namespace bertprep::test
