// Default numbers of shards: the same in one process and in an array, and on resuming.
#include <gmock/gmock.h>

#include "base/task_runner.h"
#include "bertprep/base/error.h"
#include "pipeline/stages/corpus_pieces.h"
#include "pipeline/stages/loaded_stages.h"
#include "pipeline/status/status.h"
#include "support/array_run.h"
#include "unit/pipeline/small_run.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

class Notes final : public Progress {
 public:
  void note(std::string_view text) override { all += std::string(text) + "\n"; }
  std::string all;
};

class StopsAt final : public Progress {
 public:
  explicit StopsAt(std::string stage) : stage_(std::move(stage)) {}
  void begin(std::string_view stage, std::uint64_t, std::string_view) override { stops_ = stage == stage_; }
  bool cancelled() const override { return stops_; }

 private:
  std::string stage_;
  bool stops_ = false;
};

class AutomaticShardsTest : public testing::Test {
 protected:
  AutomaticShardsTest() {
    options_.corpus.phase = Phase::kPhase1;
    options_.sharding = {};
  }
  // 40 articles make 4 training shards and 1 test shard.
  ArrayRun make_run() { return ArrayRun(folder_.path(), small_corpus(folder_), options_, 1000); }
  fs::path text_shards(const TempFolder& folder) const {
    return folder / "work/sharded_training_shards_4_test_shards_1_fraction_0.1/small";
  }

  TempFolder folder_;
  PipelineOptions options_ = small_options(folder_);
};

TEST_F(AutomaticShardsTest, AnArrayEqualsABuild) {
  const TempFolder whole;
  Notes notes;
  const BuildReport report = build(small_corpus(whole), small_folders(whole), options_, notes);
  EXPECT_EQ(report.shards, 5U);
  EXPECT_THAT(notes.all, HasSubstr("40 articles make 4 training shards and 1 test shard"));
  EXPECT_TRUE(fs::exists(text_shards(whole) / "small_training_3.txt"));
  ArrayRun run = make_run();
  run.all(2);
  const FileTree array = results_of(folder_.path());
  for (const auto& [name, bytes] : results_of(whole.path())) {
    if (name.find(".origins.jsonl") != std::string::npos) continue;  // they name their file
    EXPECT_EQ(array.at(name), bytes) << name;
  }
  EXPECT_THAT(results_of(whole.path()), SizeIs(array.size()));
  // Each finds the other's work, and run.json says the same.
  const FileTree before = read_tree(folder_ / "root");
  Notes again;
  build(small_corpus(folder_), small_folders(folder_), options_, again);
  EXPECT_EQ(again.all, "");
  EXPECT_EQ(difference(before, read_tree(folder_ / "root")), "");
}

TEST_F(AutomaticShardsTest, ACustomSourceGetsTheSame) {
  const auto corpus = small_corpus(folder_);
  Progress silent;
  build(corpus, small_folders(folder_), options_, silent);
  const TempFolder other;
  const auto parts = small_corpus(other);
  const auto source = open_corpus(parts, {}, TaskRunner());
  build(*source, small_folders(other), options_);
  for (const auto& [name, bytes] : results_of(other.path())) {
    if (!name.ends_with(".hdf5")) continue;
    EXPECT_EQ(results_of(folder_.path()).at(name), bytes) << name;
  }
}

TEST_F(AutomaticShardsTest, UntilTheArticlesArePlacedNothingIsTakenForDone) {
  ArrayRun run = make_run();
  run.stages(ArrayStage::kFetch, ArrayStage::kFormat, 2);
  EXPECT_THAT(unfinished_tasks(run.job(), ArrayStage::kInstances, 3), ElementsAre(0U, 1U, 2U));
  EXPECT_THROW(run.task(ArrayStage::kInstances, 0, 3), FormatError);
  EXPECT_THROW(run.task(ArrayStage::kFinish), FormatError);
  for (const DatasetStatus& dataset : status_of(folder_ / "root", folder_ / "work")) {
    EXPECT_FALSE(dataset.is_done());
    for (const StageStatus& stage : dataset.stages) {
      if (stage.stage == "format") continue;
      EXPECT_NE(stage.state, StageState::kDone) << stage.stage;
    }
  }
  run.stage(ArrayStage::kPlace);
  EXPECT_THAT(unfinished_tasks(run.job(), ArrayStage::kInstances, 100), SizeIs(5));
  run.stages(ArrayStage::kShard, ArrayStage::kFinish, 2);
  EXPECT_TRUE(status_of(folder_ / "root", folder_ / "work").at(0).is_done());
}

TEST_F(AutomaticShardsTest, AFinishedJobFindsItsWork) {
  ArrayRun run = make_run();
  run.all(2);
  const FileTree before = results_of(folder_.path());
  run.fetch();
  EXPECT_THAT(unfinished_tasks(run.job(), ArrayStage::kInstances, 100), SizeIs(0));
  EXPECT_EQ(run.task(ArrayStage::kInstances).tasks_made, 0U);
  run.options().work.force = true;
  run.fetch();
  for (const auto& [name, bytes] : read_tree(folder_ / "root")) EXPECT_FALSE(name.ends_with(".hdf5")) << name;
  run.options().work.force = false;
  run.stages(ArrayStage::kFormat, ArrayStage::kFinish);
  EXPECT_EQ(difference(before, results_of(folder_.path())), "");
}

TEST_F(AutomaticShardsTest, ShardsOfOtherNumbersAreRefusedWhenTheNumbersAreKnown) {
  PipelineOptions more = options_;
  more.sharding.train_shards = 7;
  Notes notes;
  build(small_corpus(folder_), small_folders(folder_), more, notes);
  EXPECT_THROW(build(small_corpus(folder_), small_folders(folder_), options_, notes), FormatError);
  ArrayRun run = make_run();
  run.stages(ArrayStage::kFetch, ArrayStage::kFormat);
  EXPECT_THROW(run.task(ArrayStage::kPlace), FormatError);
  options_.work.force = true;
  EXPECT_EQ(build(small_corpus(folder_), small_folders(folder_), options_, notes).shards, 5U);
}

TEST_F(AutomaticShardsTest, AnInterruptedRunReportsTheRest) {
  StopsAt stop("instances");
  EXPECT_THROW(build(small_corpus(folder_), small_folders(folder_), options_, stop), Cancelled);
  const DatasetStatus status = status_of(folder_ / "root", folder_ / "work").at(0);
  EXPECT_FALSE(status.is_done());
  for (const StageStatus& stage : status.stages) {
    if (stage.stage != "instances" && stage.stage != "shard") continue;
    EXPECT_EQ(stage.tasks_planned, 5U) << stage.stage;
  }
  Notes notes;
  EXPECT_EQ(build(small_corpus(folder_), small_folders(folder_), options_, notes).shards, 5U);
  EXPECT_TRUE(status_of(folder_ / "root", folder_ / "work").at(0).is_done());
}

// Its shards have names that also occur with the new numbers.
TEST_F(AutomaticShardsTest, AFinishedDatasetOfFewerShardsIsRefusedAndStaysDescribed) {
  PipelineOptions fewer = options_;
  fewer.sharding.train_shards = 3;
  Notes notes;
  build(small_corpus(folder_), small_folders(folder_), fewer, notes);
  notes.all.clear();
  const auto descriptions = [&] {
    FileTree found;
    for (auto& [name, bytes] : read_tree(folder_ / "root")) {
      if (name.ends_with("run.json")) found[name] = bytes;
    }
    return found;
  };
  const FileTree before = descriptions();
  EXPECT_FALSE(before.empty());
  ArrayRun run = make_run();
  run.stages(ArrayStage::kFetch, ArrayStage::kFormat);
  EXPECT_THROW(run.task(ArrayStage::kPlace), FormatError);
  EXPECT_EQ(difference(before, descriptions()), "");
  EXPECT_THROW(build(small_corpus(folder_), small_folders(folder_), options_, notes), FormatError);
  EXPECT_EQ(difference(before, descriptions()), "");
}

// Text shards without a record would count as files that no call made.
TEST_F(AutomaticShardsTest, AnInterruptedCallLeavesTheRecordOfEarlierTextShards) {
  ShardStep task{{{folder_.write("a.txt", small_articles(40))}, "n", folder_ / "out"}};
  const auto splitter = make_sentence_splitter(options_.sentences);
  task.is_intermediate = true;
  Notes notes;
  EXPECT_EQ(shard_articles(task, options_, *splitter, notes).tasks_made, 5U);
  folder_.write("a.txt", small_articles(48));
  StopsAt stop("text shards");
  EXPECT_THROW(shard_articles(task, options_, *splitter, stop), Cancelled);
  EXPECT_EQ(shard_articles(task, options_, *splitter, notes).tasks_made, 6U);
}

}  // namespace
}  // namespace bertprep::test
