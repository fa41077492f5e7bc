#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <set>

#include "bertprep/shard/row_stream.h"
#include "shard/pool_reading.h"

namespace bertprep::test {
namespace {

using Place = std::pair<std::uint32_t, std::uint64_t>;

ShardSet set_of(const std::vector<std::uint64_t>& rows, std::uint64_t chunk_rows = 256, std::size_t seq_len = 128) {
  ShardSet set;
  set.seq_len = seq_len;
  for (const std::uint64_t count : rows) set.shards.push_back({{}, count, std::min(count, chunk_rows)});
  return set;
}

std::vector<Place> pool_of(const EpochOrder& epoch, std::size_t pool) {
  std::vector<Place> places;
  for (const RowPlace& place : places_of(epoch.pool(pool))) places.emplace_back(place.shard, place.row);
  return places;
}

std::vector<Place> epoch_of(const RowOrder& order, std::uint64_t number) {
  const EpochOrder epoch = order.epoch(number);
  std::vector<Place> places;
  for (std::size_t pool = 0; pool < epoch.pools(); ++pool) {
    EXPECT_EQ(epoch.begin_of(pool), places.size());
    const std::vector<Place> part = pool_of(epoch, pool);
    places.insert(places.end(), part.begin(), part.end());
    EXPECT_EQ(epoch.end_of(pool), places.size());
  }
  return places;
}

std::vector<Place> all_places(const ShardSet& set) {
  std::vector<Place> places;
  for (std::uint32_t shard = 0; shard < set.shards.size(); ++shard) {
    for (std::uint64_t row = 0; row < set.shards[shard].rows; ++row) places.emplace_back(shard, row);
  }
  return places;
}

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

TEST(RowOrder, EveryEpochHasEveryRowOnce) {
  for (const RowShuffle shuffle : {RowShuffle::kV2, RowShuffle::kV1, RowShuffle::kNone}) {
    for (const std::uint64_t chunk_rows : {1, 64, 100, 256, 5000, 100000}) {
      for (const std::vector<std::uint64_t>& rows :
           {std::vector<std::uint64_t>{1}, {5}, {3, 0, 7}, {32769, 2}, {65536}, {40000, 257, 0, 30000}}) {
        const ShardSet set = set_of(rows, chunk_rows);
        const RowOrder order(set, 7, shuffle);
        for (const std::uint64_t epoch : {0, 9}) {
          auto places = epoch_of(order, epoch);
          EXPECT_EQ(places.size(), order.rows_per_epoch());
          std::sort(places.begin(), places.end());
          EXPECT_EQ(places, all_places(set));
        }
      }
    }
  }
}

TEST(RowOrder, DependsOnSeedAndEpoch) {
  const ShardSet set = set_of({40, 50, 60});
  for (const RowShuffle shuffle : {RowShuffle::kV2, RowShuffle::kV1}) {
    const RowOrder order(set, 7, shuffle);
    EXPECT_EQ(epoch_of(order, 3), epoch_of(RowOrder(set, 7, shuffle), 3));
    EXPECT_NE(epoch_of(order, 3), epoch_of(order, 4));
    EXPECT_NE(epoch_of(order, 3), epoch_of(RowOrder(set, 8, shuffle), 3));
    EXPECT_NE(epoch_of(order, 3), all_places(set));
  }
}

TEST(RowOrder, InOrderWhenNotShuffled) {
  const ShardSet set = set_of({32771, 4});
  EXPECT_EQ(epoch_of(RowOrder(set, 7, RowShuffle::kNone), 2), all_places(set));
}

TEST(RowOrder, FindsThePoolOfAnyRow) {
  const EpochOrder epoch = RowOrder(set_of({30000, 50000, 1, 20000}), 1).epoch(5);
  for (std::uint64_t row = 0; row < 100001; row += 77) {
    const std::size_t pool = epoch.pool_of(row);
    EXPECT_LE(epoch.begin_of(pool), row);
    EXPECT_LT(row, epoch.end_of(pool));
  }
}

// For any files: the bounds stated in the header.
TEST(RowOrder, PoolsAreBounded) {
  for (const std::size_t seq_len : {8, 128, 512, 1024, 2048, 8192}) {
    const std::uint64_t most = std::min<std::uint64_t>(32768, (1U << 25U) / seq_len);
    for (const std::uint64_t chunk_rows : {1, 4, 64, 85, 256, 1625, 5000, 1000000}) {
      const EpochOrder epoch = RowOrder(set_of({70001, 65536, 3, 40000}, chunk_rows, seq_len), 1).epoch(0);
      for (std::size_t pool = 0; pool < epoch.pools(); ++pool) {
        EXPECT_LE(epoch.pool(pool).order.size(), most + most / 8);
        EXPECT_GE(epoch.pool(pool).order.size(), most / 2);
      }
    }
  }
}

// A pool comes from most shards, a batch from about as many as it has rows, and no shard is preferred.
TEST(RowOrder, MixesManyShards) {
  const EpochOrder epoch = RowOrder(set_of(std::vector<std::uint64_t>(300, 1024)), 3).epoch(0);
  EXPECT_EQ(epoch.pools(), 10U);
  for (std::size_t pool = 0; pool < epoch.pools(); ++pool) {
    const std::vector<Place> places = pool_of(epoch, pool);
    std::map<std::uint32_t, std::size_t> rows_of;
    for (const Place& place : places) ++rows_of[place.first];
    EXPECT_GE(rows_of.size(), 75U);
    for (const auto& [shard, rows] : rows_of) EXPECT_LE(rows, 1024U);
    for (std::size_t first = 0; first + 64 <= places.size(); first += 64) {
      std::set<std::uint32_t> shards;
      for (std::size_t i = first; i < first + 64; ++i) shards.insert(places[i].first);
      EXPECT_GE(shards.size(), 30U);
    }
  }
}

// All chunks are first about equally often, and so do the rows of a pool.
TEST(RowOrder, ShufflesFairly) {
  for (const RowShuffle shuffle : {RowShuffle::kV2, RowShuffle::kV1}) {
    const RowOrder order(set_of({9, 9, 9, 9}), 1, shuffle);
    std::map<Place, int> first;
    std::map<std::uint32_t, int> first_shard;
    for (std::uint64_t epoch = 0; epoch < 3600; ++epoch) {
      const Place place = pool_of(order.epoch(epoch), 0)[0];
      ++first[place];
      ++first_shard[place.first];
    }
    EXPECT_EQ(first.size(), 36U);
    for (const auto& [place, count] : first) EXPECT_NEAR(count, 100, 50);
    for (const auto& [shard, count] : first_shard) EXPECT_NEAR(count, 900, 130);
  }
}

// Chunks are read whole: none is in two pools unless it is larger than an eighth of a pool.
TEST(RowOrder, KeepsStoredChunksWhole) {
  for (const std::uint64_t chunk_rows : {4, 64, 85, 256, 1625, 4096}) {
    const EpochOrder epoch = RowOrder(set_of({70001, 65536, 40000}, chunk_rows), 1).epoch(0);
    for (std::size_t pool = 0; pool < epoch.pools(); ++pool) {
      for (const RowBlock& block : epoch.pool(pool).blocks) {
        EXPECT_EQ(block.first % chunk_rows, 0U);
        EXPECT_TRUE(block.rows % chunk_rows == 0 || block.first + block.rows == (block.shard == 0   ? 70001U
                                                                                 : block.shard == 1 ? 65536U
                                                                                                    : 40000U));
      }
    }
  }
}

TEST(RowOrder, OpensLargeSetsWithinASecond) {
  const RowOrder order(set_of(std::vector<std::uint64_t>(2048, 48828)), 42);
  const double start = processor_seconds();
  const EpochOrder epoch = order.epoch(17);
  EXPECT_FALSE(pool_of(epoch, epoch.pool_of(87654321)).empty());
  EXPECT_LT(processor_seconds() - start, 1);
}

}  // namespace
}  // namespace bertprep::test
