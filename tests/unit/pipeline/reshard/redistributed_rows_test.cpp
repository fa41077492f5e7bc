#include "pipeline/reshard/reshard.h"

#include <gmock/gmock.h>

#include <numeric>

#include "bertprep/base/error.h"

namespace bertprep::test {
namespace {

using testing::ElementsAre;

TEST(RowDistributionTest, SpreadsRemainingRows) {
  EXPECT_THAT(distribute_rows(11, 3, EqualRows::kNo, 1).rows_per_shard, ElementsAre(4, 4, 3));
  EXPECT_THAT(distribute_rows(11, 3, EqualRows::kNo, 2).rows_per_shard, ElementsAre(4, 4, 2));
  EXPECT_THAT(distribute_rows(11, 3, EqualRows::kDrop, 1).rows_per_shard, ElementsAre(3, 3, 3));
  EXPECT_THAT(distribute_rows(11, 2, EqualRows::kDrop, 4).rows_per_shard, ElementsAre(4, 4));
  EXPECT_THAT(distribute_rows(11, 3, EqualRows::kRepeat, 1).rows_per_shard, ElementsAre(4, 4, 4));
  EXPECT_THAT(distribute_rows(11, 2, EqualRows::kRepeat, 4).rows_per_shard, ElementsAre(8, 8));
  EXPECT_THAT(distribute_rows(2, 3, EqualRows::kRepeat, 1).rows_per_shard, ElementsAre(1, 1, 1));
}

TEST(RowDistributionTest, CountsEveryRow) {
  for (const EqualRows equal_rows : {EqualRows::kNo, EqualRows::kDrop, EqualRows::kRepeat}) {
    for (std::uint64_t rows = 40; rows < 80; ++rows) {
      for (std::uint64_t shards = 1; shards < 6; ++shards) {
        for (const std::uint64_t multiple : {1U, 2U, 7U}) {
          const RowDistribution distribution = distribute_rows(rows, shards, equal_rows, multiple);
          const auto& counts = distribution.rows_per_shard;
          EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}) + distribution.dropped,
                    rows + distribution.repeated);
          EXPECT_TRUE(distribution.dropped == 0 || distribution.repeated == 0);
          EXPECT_TRUE(equal_rows == EqualRows::kNo || counts.front() == counts.back());
          for (const std::uint64_t count : counts) EXPECT_EQ(count % multiple, 0U);
        }
      }
    }
  }
}

TEST(RowDistributionTest, RefusesEmptyShards) {
  EXPECT_THROW(distribute_rows(2, 3, EqualRows::kNo, 1), FormatError);
  EXPECT_THROW(distribute_rows(20, 3, EqualRows::kDrop, 8), FormatError);
}

}  // namespace
}  // namespace bertprep::test
