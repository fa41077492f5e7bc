#include "bertprep/shard/row_stream.h"

#include <gtest/gtest.h>

#include "bertprep/base/error.h"
#include "support/temp_folder.h"
#include "trainer/background.h"
#include "unit/shard/shard_rows.h"

namespace bertprep::test {
namespace {

constexpr std::size_t kTokens = 12;
constexpr std::size_t kPredictions = 3;

class RowStreamTest : public testing::Test {
 protected:
  void SetUp() override {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const ShardShape shape{rows_[i], kTokens, kPredictions};
      contents_.push_back(valid_rows(shape, static_cast<std::uint32_t>(i), 90));
      write_shard(folder_ / ("a_training_" + std::to_string(i) + ".hdf5"), shape, contents_.back());
    }
    set_ = list_shards(folder_.path(), "training", true);
  }

  RowOrder order(std::uint64_t seed = 3) const { return {set_, seed}; }

  // The next `batches` batches of `count` rows over all processes.
  std::vector<TrainingBatch> take(RowStream stream, std::size_t batches, std::uint64_t count) const {
    std::vector<TrainingBatch> taken(batches);
    for (TrainingBatch& batch : taken) stream.next(count, batch);
    return taken;
  }

  static std::vector<std::pair<std::uint32_t, std::uint64_t>> places(const std::vector<TrainingBatch>& batches) {
    std::vector<std::pair<std::uint32_t, std::uint64_t>> all;
    for (const TrainingBatch& batch : batches) {
      for (const RowPlace& place : batch.places) all.emplace_back(place.shard, place.row);
    }
    return all;
  }

  TempFolder folder_;
  std::vector<std::size_t> rows_{17, 5, 30};
  std::vector<Batch> contents_;
  ShardSet set_;
};

TEST_F(RowStreamTest, GivesTheModelNothingItCantTake) {
  ShardSet set = set_;
  set.vocab_size = 10;
  TrainingBatch batch;
  EXPECT_THROW(RowStream(set, order(), 0).next(2, batch), ConfigError);
}

TEST_F(RowStreamTest, RowsAreThoseOfTheirPlaces) {
  for (const TrainingBatch& batch : take(RowStream(set_, order(), 0), 20, 7)) {
    ASSERT_EQ(batch.places.size(), 7U);
    for (std::size_t i = 0; i < 7; ++i) {
      const RowPlace place = batch.places[i];
      const ShardShape shape{rows_[place.shard], kTokens, kPredictions};
      EXPECT_TRUE(same_rows(slice(batch.rows, {7, kTokens, kPredictions}, i, 1),
                            slice(contents_[place.shard], shape, place.row, 1)));
    }
  }
}

TEST_F(RowStreamTest, ContinuesFromAnyPlace) {
  const auto all = places(take(RowStream(set_, order(), 0), 160, 1));
  for (std::uint64_t position = 0; position < 110; ++position) {
    const auto tail = places(take(RowStream(set_, order(), position), 10, 5));
    EXPECT_TRUE(std::equal(tail.begin(), tail.end(), all.begin() + static_cast<std::ptrdiff_t>(position)));
  }
}

TEST_F(RowStreamTest, SaysWhereItContinues) {
  const auto batches = take(RowStream(set_, order(), 100), 3, 8);
  EXPECT_EQ(batches[0].next_position, 108U);
  EXPECT_EQ(batches[2].next_position, 124U);
}

// For any number of processes, together they read the same rows in each step.
TEST_F(RowStreamTest, ProcessesShareEachBatch) {
  const auto alone = take(RowStream(set_, order(), 4), 12, 12);
  for (const std::uint64_t processes : {2, 3, 4, 12}) {
    std::vector<std::vector<TrainingBatch>> taken;
    for (std::uint64_t rank = 0; rank < processes; ++rank) {
      taken.push_back(take(RowStream(set_, order(), 4, {rank, processes}), 12, 12));
    }
    for (std::size_t step = 0; step < alone.size(); ++step) {
      std::vector<TrainingBatch> together;
      for (const auto& own : taken) together.push_back(own[step]);
      EXPECT_EQ(places(together), places({alone[step]}));
    }
  }
}

TEST_F(RowStreamTest, RefusesUnevenShares) {
  RowStream stream(set_, order(), 0, {0, 5});
  TrainingBatch batch;
  EXPECT_THROW(stream.next(12, batch), ConfigError);
}

TEST_F(RowStreamTest, PrefetchedBatchesAreTheSame) {
  const auto plain = places(take(RowStream(set_, order(), 9), 30, 6));
  Prefetch ahead(RowStream(set_, order(), 9), 6, 3);
  std::vector<TrainingBatch> batches;
  for (int i = 0; i < 30; ++i) batches.push_back(ahead.next());
  EXPECT_EQ(places(batches), plain);
  EXPECT_GE(ahead.waited_seconds(), 0);
}

TEST_F(RowStreamTest, PrefetchHandsOnWhatWentWrong) {
  Prefetch ahead(RowStream(set_, order(), 0), 200, 1);
  ahead.next();
  for (const ShardEntry& shard : set_.shards) std::filesystem::remove(shard.path);
  const auto take_more = [&] {
    for (int i = 0; i < 5; ++i) ahead.next();
  };
  EXPECT_THROW(take_more(), Error);
}

}  // namespace
}  // namespace bertprep::test
