// The life of an array job: finished, requested again, opened again.
#include <gmock/gmock.h>

#include <utility>

#include "bertprep/base/error.h"
#include "fetch/fetched_record.h"
#include "pipeline/array/array_work.h"
#include "pipeline/records/owned_files.h"
#include "support/array_run.h"
#include "support/golden_data.h"
#include "unit/pipeline/small_run.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class ArrayJobTest : public testing::Test {
 protected:
  ArrayJobTest() { options_.instances.dupe_factor = 1; }

  ArrayRun make_run() { return ArrayRun(folder_.path(), small_corpus(folder_), options_, 1000); }
  fs::path shards(int seq_len = 128) const {
    for (const auto& entry : fs::directory_iterator(folder_ / "root")) {
      const std::string name = entry.path().filename().string();
      if (name.find("seq_len_" + std::to_string(seq_len)) != std::string::npos) return entry.path() / "small";
    }
    return {};
  }

  TempFolder folder_;
  PipelineOptions options_ = small_options(folder_);
};

TEST_F(ArrayJobTest, LeavesNothingPassing) {
  ArrayRun run = make_run();
  run.all(3);
  EXPECT_THAT(files_of_jobs(folder_.path()),
              UnorderedElementsAre(run.job_folder().filename().string(), "plan.json", "finished"));
  for (const auto& [name, bytes] : read_tree(folder_.path())) {
    EXPECT_FALSE(name.ends_with(".partial")) << name;
    EXPECT_EQ(name.find("/array-"), std::string::npos) << name;
  }
  EXPECT_THAT(unfinished_shard_folders(folder_ / "root"), IsEmpty());
}

TEST_F(ArrayJobTest, LateTasksDoNothing) {
  ArrayRun run = make_run();
  run.all(2);
  const FileTree before = read_tree(folder_.path());
  for (const ArrayStage stage : kArrayStages) {
    if (stage == ArrayStage::kFetch) continue;
    EXPECT_EQ(run.task(stage).tasks_made, 0U) << name_of(stage);
  }
  EXPECT_EQ(difference(before, read_tree(folder_.path())), "");
}

TEST_F(ArrayJobTest, TasksBeyondTheUnitsDoNothing) {
  ArrayRun run = make_run();
  run.fetch();
  const StageReport report = run.task(ArrayStage::kFormat, 999, 1000);
  EXPECT_EQ(report.tasks_made + report.tasks_found, 0U);
  EXPECT_EQ(run.task(ArrayStage::kFormat, 1, ~std::uint64_t{0}).tasks_made, 1U);
}

TEST_F(ArrayJobTest, FetchAgainKeepsFinishedStages) {
  ArrayRun run = make_run();
  run.all(2);
  const FileTree before = read_tree(folder_.path());
  run.fetch();
  EXPECT_EQ(difference(before, read_tree(folder_.path())), "");
}

TEST_F(ArrayJobTest, FetchAgainInTheMiddleKeepsFinishedTasks) {
  ArrayRun run = make_run();
  run.stages(ArrayStage::kFetch, ArrayStage::kPlace, 2);
  run.fetch();
  EXPECT_EQ(run.task(ArrayStage::kFormat).tasks_made, 0U);
  EXPECT_EQ(run.task(ArrayStage::kPlace).tasks_made, 0U);
  run.stages(ArrayStage::kShard, ArrayStage::kFinish);
}

TEST_F(ArrayJobTest, FetchOpensAJobWhoseShardIsLost) {
  ArrayRun run = make_run();
  run.all(2);
  const FileTree before = results_of(folder_.path());
  fs::remove(shards() / "small_training_1.hdf5");
  run.fetch();
  EXPECT_THAT(unfinished_tasks(run.job(), ArrayStage::kInstances, 5), ElementsAre(1));
  run.stages(ArrayStage::kFormat, ArrayStage::kShard);
  EXPECT_EQ(run.task(ArrayStage::kInstances).tasks_made, 1U);
  run.stage(ArrayStage::kFinish);
  EXPECT_EQ(difference(before, results_of(folder_.path())), "");
}

class ExtractedArrayTest : public ArrayJobTest {
 protected:
  ArrayRun make_run() {
    std::string dump = "<mediawiki version=\"0.10\">\n<siteinfo>\n<base>https://x.org/wiki/Main</base>\n</siteinfo>\n";
    for (int i = 1; i <= 20; ++i) {
      const std::string id = std::to_string(i);
      dump += "<page>\n<title>T" + id + "</title>\n<ns>0</ns>\n<id>" + id + "</id>\n<revision>\n<id>9" + id +
              "</id>\n<timestamp>2019-03-04T05:06:07Z</timestamp>\n<text>The number is " + id +
              ". It has a kind.</text>\n</revision>\n</page>\n";
    }
    CorpusPart part{.inputs = {folder_.write("x.xml", dump + "</mediawiki>\n")}};
    part.source.format = InputFormat::kMediawiki;
    return ArrayRun(folder_.path(), {part}, options_, 1000);
  }
  fs::path extracted() const { return folder_ / "work/extracted/small"; }
};

TEST_F(ExtractedArrayTest, ArticlesToBeKeptLaterAreExtractedLater) {
  make_run().all(2);
  EXPECT_FALSE(fs::exists(extracted()));
  const FileTree before = results_of(folder_.path());
  options_.work.keep.extracted = true;
  ArrayRun run = make_run();
  run.all(2);
  const std::string articles = read_bytes(extracted() / "AA/wiki_00");
  EXPECT_THAT(articles, testing::HasSubstr("title=\"T20\""));
  fs::remove(extracted() / "AA/wiki_00");
  run.all(3);
  EXPECT_EQ(read_bytes(extracted() / "AA/wiki_00"), articles);
  fs::remove_all(extracted());
  EXPECT_EQ(difference(before, results_of(folder_.path())), "");
}

TEST_F(ExtractedArrayTest, PiecesThatKeepLessAreFormattedAgain) {
  make_run().stages(ArrayStage::kFetch, ArrayStage::kShard);
  options_.work.keep.extracted = true;
  ArrayRun run = make_run();
  run.fetch();
  EXPECT_GT(run.task(ArrayStage::kFormat).tasks_made, 1U);
  run.stages(ArrayStage::kPlace, ArrayStage::kFinish);
  EXPECT_TRUE(fs::exists(extracted() / "articles.jsonl"));
}

TEST_F(ExtractedArrayTest, FilesOfTheUserAreRefusedAtFirst) {
  options_.work.keep.extracted = true;
  folder_.write("work/extracted/small/AA/wiki_07", "mine");
  ArrayRun run = make_run();
  EXPECT_THROW(run.fetch(), FormatError);
  EXPECT_EQ(read_bytes(extracted() / "AA/wiki_07"), "mine");
  run.options().work.force = true;
  run.fetch();
  run.options().work.force = false;
  run.stages(ArrayStage::kFormat, ArrayStage::kFinish);
  EXPECT_FALSE(fs::exists(extracted() / "AA/wiki_07"));
}

TEST_F(ArrayJobTest, FetchOpensAJobWhoseManifestIsLost) {
  ArrayRun run = make_run();
  run.all(2);
  const FileTree before = results_of(folder_.path());
  fs::remove(shards(512) / "manifest.json");
  run.all(2);
  EXPECT_EQ(difference(before, results_of(folder_.path())), "");
}

TEST_F(ArrayJobTest, ForceAtFetchMakesEverythingAgain) {
  ArrayRun run = make_run();
  run.all(2);
  const FileTree before = results_of(folder_.path());
  folder_.write(fs::relative(shards() / "small_test_0.hdf5", folder_.path()).string(), "damaged");
  run.options().work.force = true;
  run.fetch();
  EXPECT_FALSE(fs::exists(shards() / "small_test_0.hdf5"));
  run.options().work.force = false;
  run.stages(ArrayStage::kFormat, ArrayStage::kShard);
  EXPECT_EQ(run.task(ArrayStage::kInstances).tasks_made, 10U);  // of both phases
  run.stage(ArrayStage::kFinish);
  EXPECT_EQ(difference(before, results_of(folder_.path())), "");
}

TEST_F(ArrayJobTest, AnotherInputUnderTheSameNameIsAnotherPlan) {
  ArrayRun run = make_run();
  run.stages(ArrayStage::kFetch, ArrayStage::kShard, 2);
  // As many articles, of the same sizes.
  std::string text = small_articles(40);
  for (std::size_t at = text.find("kind"); at != std::string::npos; at = text.find("kind", at + 1)) text[at] = 'K';
  folder_.write("articles.txt", text);
  run.fetch();
  EXPECT_EQ(unfinished_tasks(run.job(), ArrayStage::kFormat, 100).size(),
            unfinished_tasks(run.job(), ArrayStage::kShard, 100).size());
  run.stages(ArrayStage::kFormat, ArrayStage::kFinish, 3);
  const TempFolder other;
  PipelineOptions options = small_options(other);
  options.instances.dupe_factor = 1;
  CorpusPart part{.inputs = {other.write("articles.txt", text)}};
  part.source.format = InputFormat::kArticles;
  Progress silent;
  build({&part, 1}, small_folders(other), options, silent);
  for (const auto& [name, bytes] : results_of(other.path())) {
    if (name.find(".origins.jsonl") != std::string::npos) continue;  // they name their file
    EXPECT_EQ(results_of(folder_.path()).at(name), bytes) << name;
  }
}

TEST_F(ArrayJobTest, OtherOptionsAreAnotherJob) {
  ArrayRun run = make_run();
  run.fetch();
  options_.instances.random_seed = "7";
  ArrayRun other = make_run();
  EXPECT_THROW(other.task(ArrayStage::kFormat), FormatError);
  other.fetch();
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "work/array"), {}), 2);
}

TEST_F(ArrayJobTest, RemovesIntermediateFiles) {
  for (const char* keep : {"", "sharded", "formatted", "download,formatted,sharded"}) {
    options_.work.keep = kept_files(keep);
    ArrayRun run = make_run();
    run.all(2);
    const std::string kept = keep;
    const FileTree results = results_of(folder_.path());
    const auto any = [&](const std::string& start) {
      const auto found = results.lower_bound(start);
      return found != results.end() && found->first.starts_with(start);
    };
    const std::string formatted = "work/formatted_one_article_per_line/small_one_article_per_line.txt.zst";
    EXPECT_EQ(results.contains(formatted), kept.find("formatted") != std::string::npos) << keep;
    EXPECT_TRUE(any(formatted + ".origins")) << keep;
    EXPECT_EQ(any("work/sharded"), kept.find("sharded") != std::string::npos) << keep;
    Progress silent;
    for (const StageReport& stage : build(small_corpus(folder_), small_folders(folder_), options_, silent).stages) {
      EXPECT_EQ(stage.tasks_made, 0U) << stage.stage << " of a job that keeps '" << keep << "'";
    }
    EXPECT_TRUE(fs::exists(folder_ / "articles.txt")) << "the user's own file";
    fs::remove_all(folder_ / "root");
    fs::remove_all(folder_ / "work");
  }
}

TEST_F(ArrayJobTest, DownloadsGoUnlessTheyAreKept) {
  for (const bool kept : {false, true}) {
    options_.work.keep = kept_files(kept ? "download" : "");
    const fs::path state = folder_.write("work/download/.set.bertprep/x", "").parent_path();
    const fs::path made = folder_.write("work/download/set/articles.txt", small_articles(40));
    const fs::path put_there = folder_.write("work/download/set/more.txt", small_articles(10));
    save_record({{fs::file_size(made)}, "http://data.invalid/articles.txt", true}, made, state);
    CorpusPart part{.inputs = {made, put_there}};
    part.downloads = part.inputs;
    part.source.format = InputFormat::kArticles;
    ArrayRun(folder_.path(), {part}, options_).all();
    EXPECT_EQ(fs::exists(made), kept);
    EXPECT_TRUE(fs::exists(put_there)) << "nobody downloaded it";
    fs::remove_all(folder_ / "root");
    fs::remove_all(folder_ / "work");
  }
}

TEST_F(ArrayJobTest, ShardsOfABuildAreTakenOver) {
  small_build(folder_, options_);
  ArrayRun run = make_run();
  run.stages(ArrayStage::kFetch, ArrayStage::kShard);
  const StageReport report = run.task(ArrayStage::kInstances);
  EXPECT_EQ(report.tasks_made, 0U);
  run.stage(ArrayStage::kFinish);
  EXPECT_THAT(unfinished_shard_folders(folder_ / "root"), IsEmpty());
}

// When an attempt has looked at the first shard, another one finishes the whole job.
struct FinishedMeanwhile final : Progress {
  explicit FinishedMeanwhile(ArrayRun& other_attempt) : run(other_attempt) {}
  void advance(std::uint64_t) override {
    if (!std::exchange(is_finished, true)) run.stage(ArrayStage::kFinish);
  }
  ArrayRun& run;
  bool is_finished = false;
};

TEST_F(ArrayJobTest, AnAttemptToFinishThatComesLateMakesNoFolderAnew) {
  ArrayRun run = make_run();
  run.stages(ArrayStage::kFetch, ArrayStage::kInstances);
  FinishedMeanwhile progress(run);
  ArrayState late = open_array(array_layout(run.job()));
  late.load_models();
  late.run.options.work.threads = 1;  // two attempts in one process would share the names of their unfinished files
  finish_array(late, progress);
  EXPECT_TRUE(progress.is_finished);
  for (const int seq_len : {128, 512}) {
    EXPECT_FALSE(fs::exists(shards(seq_len).parent_path() / ".small.bertprep" / "partial")) << seq_len;
    EXPECT_TRUE(fs::exists(shards(seq_len) / "manifest.json"));
  }
}

TEST_F(ArrayJobTest, VerifyFinishesItAsWell) {
  ArrayRun run = make_run();
  run.stages(ArrayStage::kFetch, ArrayStage::kShard);
  EXPECT_EQ(unfinished_shard_folders(folder_ / "root").size(), 2U);
  Progress silent;
  EXPECT_THROW(finish_shards(shards(), silent), FormatError);
  run.stage(ArrayStage::kInstances, 2);
  finish_shards(shards(), silent);
  EXPECT_TRUE(fs::exists(shards() / "manifest.json"));
  EXPECT_TRUE(fs::exists(shards(512) / "manifest.json"));
  EXPECT_THAT(unfinished_shard_folders(folder_ / "root"), IsEmpty());
  EXPECT_EQ(run.task(ArrayStage::kFinish).tasks_made, 0U);
}

TEST_F(ArrayJobTest, AJobWhoseStateIsElsewhereIsNotTakenForDone) {
  ArrayRun run = make_run();
  run.stages(ArrayStage::kFetch, ArrayStage::kInstances);
  fs::rename(folder_ / "work", folder_ / "elsewhere");
  Progress silent;
  EXPECT_THROW(finish_shards(shards(), silent), FormatError);
  EXPECT_EQ(unfinished_shard_folders(folder_ / "root").size(), 2U);
}

}  // namespace
}  // namespace bertprep::test
