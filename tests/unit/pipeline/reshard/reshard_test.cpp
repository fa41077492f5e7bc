#include "pipeline/reshard/reshard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "bertprep/base/error.h"
#include "bertprep/shard/manifest.h"
#include "pipeline/status/status.h"
#include "support/file_tree.h"
#include "support/temp_folder.h"
#include "support/thrown.h"
#include "unit/shard/shard_rows.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Short rows, of which a pool holds many blocks.
constexpr ShardShape kShape{1000, 8, 2};

class ReshardTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "in");
    all_ = valid_rows({2500, 8, 2}, 1, 90);
    for (std::size_t row = 0; row < all_.rows; ++row) all_.masked_lm_ids[2 * row] = static_cast<std::int32_t>(row);
    write_part("x_training_2.hdf5", 0, 1000);
    write_part("x_training_10.hdf5", 1000, 1300);
    write_part("x_test_0.hdf5", 2300, 200);
    task_.input = folder_ / "in";
    task_.output = folder_ / "out";
    task_.work.threads = 2;
  }
  void write_part(const std::string& name, std::size_t first, std::size_t count) {
    write_shard(folder_ / "in" / name, {count, 8, 2}, slice(all_, kShape, first, count));
  }
  ReshardReport run() { return reshard(task_, progress_); }
  // All rows of the output's training shards, in order.
  std::vector<std::int32_t> training_rows() const { return rows_of("x_training_"); }
  std::vector<std::int32_t> rows_of(const std::string& stem) const {
    std::vector<std::int32_t> numbers;
    for (int i = 0; fs::exists(task_.output / (stem + std::to_string(i) + ".hdf5")); ++i) {
      const Batch rows = read_shard(task_.output / (stem + std::to_string(i) + ".hdf5"));
      for (std::size_t row = 0; row < rows.rows; ++row) numbers.push_back(rows.masked_lm_ids[2 * row]);
    }
    return numbers;
  }
  std::string message() {
    return thrown_by([&] { run(); });
  }
  static std::vector<std::int32_t> numbers(std::int32_t first, std::int32_t count) {
    std::vector<std::int32_t> list;
    for (std::int32_t i = 0; i < count; ++i) list.push_back(first + i);
    return list;
  }

  TempFolder folder_;
  Batch all_;
  ReshardTask task_;
  Progress progress_;
};

// Asks for the status of a folder at each step of a stage.
class Asking final : public Progress {
 public:
  explicit Asking(fs::path folder) : folder_(std::move(folder)) {}
  void advance(std::uint64_t /*amount*/) override {
    for (const DatasetStatus& one : status_of(folder_)) seen_.push_back(one);
    if (ends_ && !seen_.empty()) throw IoError("the disk is full", folder_, "make room");
  }
  void end_soon() { ends_ = true; }
  const std::vector<DatasetStatus>& seen() const { return seen_; }

 private:
  fs::path folder_;
  std::vector<DatasetStatus> seen_;
  bool ends_ = false;
};

TEST_F(ReshardTest, AtWorkIsRunning) {
  task_.options.shards = 3;
  Asking asking(task_.output);
  reshard(task_, asking);
  ASSERT_FALSE(asking.seen().empty());
  const DatasetStatus& first = asking.seen().front();
  EXPECT_TRUE(first.is_running);
  EXPECT_EQ(first.state(), DatasetState::kRunning);
  EXPECT_EQ(first.stages.front().stage, "reshard");
  EXPECT_EQ(first.stages.front().state, StageState::kRunning);
  EXPECT_EQ(first.stages.front().tasks_planned, 4U);
  EXPECT_EQ(status_of(task_.output).front().state(), DatasetState::kDone);
}

TEST_F(ReshardTest, EndedByAnErrorHasFailed) {
  Asking asking(task_.output);
  asking.end_soon();
  EXPECT_THROW(reshard(task_, asking), IoError);
  const DatasetStatus failed = status_of(task_.output).front();
  EXPECT_EQ(failed.state(), DatasetState::kFailed);
  EXPECT_THAT(failed.error, HasSubstr("the disk is full"));
}

TEST_F(ReshardTest, KeepsTheOrderAndTellsTestRowsApart) {
  task_.options.shards = 7;
  task_.options.test_shards = 3;
  const ReshardReport report = run();
  EXPECT_EQ(report.name, "x");
  EXPECT_EQ(report.training_rows, 2300U);
  EXPECT_EQ(report.made, 10U);
  EXPECT_EQ(training_rows(), numbers(0, 2300));
  EXPECT_EQ(rows_of("x_test_"), numbers(2300, 200));
  const Batch first = read_shard(task_.output / "x_training_0.hdf5");
  EXPECT_TRUE(same_rows(first, slice(all_, kShape, 0, 329)));
}

TEST_F(ReshardTest, DropsOrRepeatsRemainingRows) {
  task_.options.shards = 9;
  task_.options.equal_rows = EqualRows::kDrop;
  EXPECT_EQ(run().dropped, 5U);
  EXPECT_EQ(training_rows(), numbers(0, 2295));
  task_.output = folder_ / "repeated";
  task_.options.equal_rows = EqualRows::kRepeat;
  EXPECT_EQ(run().repeated, 4U);
  std::vector<std::int32_t> expected = numbers(0, 2300);
  for (const std::int32_t again : numbers(0, 4)) expected.push_back(again);
  EXPECT_EQ(training_rows(), expected);
  EXPECT_EQ(rows_of("x_test_"), numbers(2300, 200));
}

TEST_F(ReshardTest, RepeatsAllRowsAsOftenAsNeeded) {
  task_.options.shards = 1;
  task_.options.equal_rows = EqualRows::kRepeat;
  task_.options.rows_multiple_of = 5000;
  EXPECT_EQ(run().repeated, 2700U);
  const auto rows = training_rows();
  EXPECT_EQ(std::count(rows.begin(), rows.end(), 399), 3);
  EXPECT_EQ(std::count(rows.begin(), rows.end(), 400), 2);
}

TEST_F(ReshardTest, ShufflesEveryRowOnceAndTheSameWay) {
  task_.options.shards = 4;
  task_.options.shuffle_seed = "7";
  run();
  const auto shuffled = training_rows();
  EXPECT_NE(shuffled, numbers(0, 2300));
  auto sorted = shuffled;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, numbers(0, 2300));
  const std::set<std::int32_t> first_shard(shuffled.begin(), shuffled.begin() + 575);
  EXPECT_GT(*first_shard.rbegin() - *first_shard.begin(), 2000) << "rows come from the whole set";
  const FileTree before = read_tree(task_.output);

  task_.output = folder_ / "again";
  task_.options.shuffle_seed = "007";
  task_.work.threads = 1;
  run();
  EXPECT_EQ(difference(before, read_tree(task_.output)), "");
  task_.output = folder_ / "other";
  task_.options.shuffle_seed = "8";
  run();
  EXPECT_NE(training_rows(), shuffled);
}

TEST_F(ReshardTest, FlipsLabels) {
  task_.options.flip_labels = true;
  run();
  Batch flipped = read_shard(task_.output / "x_training_0.hdf5");
  for (std::size_t row = 0; row < flipped.rows; ++row) {
    EXPECT_EQ(flipped.next_sentence_labels[row], 1 - all_.next_sentence_labels[row]);
  }
}

TEST_F(ReshardTest, ContinuesAfterItWasKilled) {
  task_.options.shards = 5;
  run();
  const FileTree whole = read_tree(task_.output);
  fs::remove(task_.output / "manifest.json");
  fs::remove(task_.output / "x_training_3.hdf5");
  const ReshardReport report = run();
  EXPECT_EQ(report.made, 1U);
  EXPECT_EQ(report.found, 5U);
  EXPECT_EQ(difference(whole, read_tree(task_.output)), "");
  EXPECT_EQ(run().made, 0U);
}

TEST_F(ReshardTest, MakesAllAnewWhenTheInputHasChanged) {
  run();
  write_part("x_training_2.hdf5", 1, 1000);
  EXPECT_THAT(message(), HasSubstr("source-sha256 was "));
  task_.work.force = true;
  EXPECT_EQ(run().made, 3U);
  EXPECT_EQ(training_rows().front(), 1);
}

TEST_F(ReshardTest, TakesTheRecipeOfTheInput) {
  Manifest manifest;
  manifest.dataset = "named";
  manifest.recipe = {{"stage", "instances"},   {"stage-version", "1"}, {"seq-len", "8"},
                     {"max-predictions", "2"}, {"vocab-size", "5000"}, {"train-shards", "2"}};
  std::ofstream(folder_ / "in/manifest.json") << manifest.to_json();
  task_.options.shards = 3;
  EXPECT_EQ(run().name, "named");
  const Manifest made = Manifest::load(task_.output / "manifest.json");
  EXPECT_EQ(made.dataset, "named");
  EXPECT_EQ(made.recipe_value("stage"), "reshard");
  EXPECT_EQ(made.recipe_value("vocab-size"), "5000");
  EXPECT_EQ(made.recipe_value("train-shards"), "3");
  EXPECT_FALSE(made.recipe_value("shuffle-seed"));
  EXPECT_EQ(made.shards.size(), 4U);
}

TEST_F(ReshardTest, RefusesToOverwriteItsInput) {
  task_.output = task_.input;
  EXPECT_THROW(run(), ConfigError);
  task_.output = task_.input / "below";
  EXPECT_THROW(run(), ConfigError);
  EXPECT_FALSE(fs::exists(task_.output));
  task_.output = folder_ / "foreign";
  fs::create_directories(task_.output);
  std::ofstream(task_.output / "x_training_0.hdf5") << "the user's";
  EXPECT_THROW(run(), FormatError);
  fs::rename(task_.output / "x_training_0.hdf5", task_.output / "x_training_77.hdf5");
  EXPECT_THAT(message(), HasSubstr("x_training_77.hdf5"));
  EXPECT_EQ(read_tree(task_.output).size(), 1U);
}

TEST_F(ReshardTest, RefusesRowsOfTwoLengthsAndTooManyShards) {
  task_.options.shards = 3000;
  EXPECT_THAT(message(), HasSubstr("2,300 rows can't fill 3,000 shards"));
  EXPECT_FALSE(fs::exists(task_.output));
  task_.options.shards = 2;
  write_shard(folder_ / "in/x_training_3.hdf5", {4, 9, 2}, valid_rows({4, 9, 2}, 1, 90));
  EXPECT_THAT(message(), HasSubstr("another length than the files before it"));
  task_.options.shuffle_seed = "seven";
  EXPECT_THROW(run(), ConfigError);
}

TEST_F(ReshardTest, TakesFilesThatNoWordTells) {
  fs::remove_all(folder_ / "in");
  fs::create_directories(folder_ / "in");
  write_part("part-0.h5", 0, 700);
  write_part("part-1.h5", 700, 700);
  task_.name = "y";
  EXPECT_EQ(run().training_rows, 1400U);
  EXPECT_TRUE(fs::exists(task_.output / "y_training_1.hdf5"));
}

TEST(RedistributedRowsTest, MixesPoolsOfLongRows) {
  const TempFolder folder;
  const ShardShape shape{3000, 4096, 1};
  Batch rows;
  rows.resize(shape.rows, shape);
  for (std::size_t row = 0; row < shape.rows; ++row) rows.masked_lm_ids[row] = static_cast<std::int32_t>(row);
  write_shard(folder / "a.hdf5", shape, rows);
  const RedistributedRows redistributed({{folder / "a.hdf5", 3000}}, shape, "1");
  EXPECT_GT(redistributed.pools(), 1U);
  EXPECT_EQ(redistributed.rows(), 3000U);
  std::vector<std::int32_t> numbers;
  for (std::size_t pool = 0; pool < redistributed.pools(); ++pool) {
    EXPECT_EQ(redistributed.pool_of(redistributed.begin_of(pool)), pool);
    Batch part;
    redistributed.read(pool, part);
    numbers.insert(numbers.end(), part.masked_lm_ids.begin(), part.masked_lm_ids.end());
  }
  std::sort(numbers.begin(), numbers.end());
  for (std::int32_t row = 0; row < 3000; ++row) ASSERT_EQ(numbers[static_cast<std::size_t>(row)], row);
}

}  // namespace
}  // namespace bertprep::test
