#include "bertprep/shard/row_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace bertprep::test {
namespace {

using Place = std::pair<std::uint32_t, std::uint64_t>;

std::vector<Place> epoch_of(const RowOrder& order, std::uint64_t epoch) {
  std::vector<Place> places;
  for (const RowBlock& block : order.blocks(epoch)) {
    for (const std::uint64_t row : order.rows(epoch, block)) places.emplace_back(block.shard, row);
  }
  return places;
}

std::vector<Place> all_places(const std::vector<std::uint64_t>& rows_per_shard) {
  std::vector<Place> places;
  for (std::uint32_t shard = 0; shard < rows_per_shard.size(); ++shard) {
    for (std::uint64_t row = 0; row < rows_per_shard[shard]; ++row) places.emplace_back(shard, row);
  }
  return places;
}

TEST(RowOrder, EveryEpochHasEveryRowOnce) {
  for (const std::vector<std::uint64_t>& shards :
       {std::vector<std::uint64_t>{1}, {5}, {3, 0, 7}, {RowOrder::kBlockRows + 1, 2}, {2 * RowOrder::kBlockRows}}) {
    const RowOrder order(shards, 7, true);
    for (const std::uint64_t epoch : {0, 1, 9}) {
      auto places = epoch_of(order, epoch);
      EXPECT_EQ(places.size(), order.rows_per_epoch());
      std::sort(places.begin(), places.end());
      EXPECT_EQ(places, all_places(shards));
    }
  }
}

TEST(RowOrder, DependsOnSeedAndEpoch) {
  const std::vector<std::uint64_t> shards{40, 50, 60};
  const RowOrder order(shards, 7, true);
  EXPECT_EQ(epoch_of(order, 3), epoch_of(RowOrder(shards, 7, true), 3));
  EXPECT_NE(epoch_of(order, 3), epoch_of(order, 4));
  EXPECT_NE(epoch_of(order, 3), epoch_of(RowOrder(shards, 8, true), 3));
  EXPECT_NE(epoch_of(order, 3), all_places(shards));
}

TEST(RowOrder, InOrderWhenNotShuffled) {
  const std::vector<std::uint64_t> shards{RowOrder::kBlockRows + 3, 4};
  EXPECT_EQ(epoch_of(RowOrder(shards, 7, false), 2), all_places(shards));
}

// Shards are visited in every order about equally often.
TEST(RowOrder, ShufflesShardsFairly) {
  std::vector<int> first(4);
  for (std::uint64_t epoch = 0; epoch < 400; ++epoch) ++first[RowOrder({9, 9, 9, 9}, 1, true).blocks(epoch)[0].shard];
  for (const int count : first) EXPECT_NEAR(count, 100, 40);
}

}  // namespace
}  // namespace bertprep::test
