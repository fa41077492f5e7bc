#include "quality/length_counts.h"

#include <gtest/gtest.h>

#include <limits>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

TEST(LengthCountsTest, CountsByPowersOfTwo) {
  LengthCounts counts;
  for (const std::uint64_t length : {0, 1, 2, 3, 4, 7, 8, 15, 16}) counts.add(length);
  EXPECT_EQ(counts.to_json().dump_line(), "[2,2,2,2,1]");
  counts.add(std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(counts.by_power()[63], 1U);
}

TEST(LengthCountsTest, IsTheSameReadAgainAndAdded) {
  LengthCounts all;
  LengthCounts parts[2];
  for (std::uint64_t i = 0; i < 1000; ++i) {
    all.add(i * i);
    parts[i % 2].add(i * i);
  }
  LengthCounts sum = LengthCounts::from_json(parts[0].to_json());
  sum.add(LengthCounts::from_json(parts[1].to_json()));
  EXPECT_EQ(sum.by_power(), all.by_power());
  EXPECT_EQ(LengthCounts().to_json().dump_line(), "[]");
}

TEST(LengthCountsTest, RefusesMoreThanThereAre) {
  Json json = Json::array();
  for (int i = 0; i < 65; ++i) json.push(Json::number(1));
  EXPECT_THROW(LengthCounts::from_json(json), FormatError);
}

}  // namespace
}  // namespace bertprep
