// The state of an array job, and the tasks to run again.
#include <gmock/gmock.h>

#include "bertprep/base/error.h"
#include "io/pending_file.h"
#include "pipeline/array/array_state.h"
#include "pipeline/status/status.h"
#include "pipeline/work/progress_report.h"
#include "support/array_run.h"
#include "support/golden_data.h"
#include "unit/pipeline/small_run.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ArrayStatusTest : public testing::Test {
 protected:
  ArrayStatusTest() {
    options_.instances.dupe_factor = 1;
    run_.emplace(folder_.path(), small_corpus(folder_), options_, 1000);
    run_->fetch();
  }
  DatasetStatus status() const {
    const std::vector<DatasetStatus> all = status_of(folder_ / "root", folder_ / "work");
    EXPECT_EQ(all.size(), 1U);
    return all.empty() ? DatasetStatus{} : all.front();
  }
  StageStatus stage(ArrayStage stage) const {
    for (const StageStatus& found : status().stages) {
      if (found.stage == name_of(stage)) return found;
    }
    ADD_FAILURE() << name_of(stage);
    return {};
  }
  // Writes the report of an attempt at task 0 of 2 of `stage`.
  void report(const std::string& error, std::uint64_t age_seconds = 0, const std::string& host = {}) {
    ProgressReport report = ProgressReport::of_this_process("format");
    report.attempt = {{0, 2}, {"Slurm", "12_0", "1"}};
    if (!host.empty()) report.process.host = host;
    report.time_seconds = seconds_since_1970() - age_seconds;
    report.error = error;
    const fs::path folder = run_->job_folder() / "attempts";
    publish_bytes(folder / "format.0.json", folder, report.to_json().dump());
  }

  TempFolder folder_;
  PipelineOptions options_ = small_options(folder_);
  std::optional<ArrayRun> run_;
};

TEST_F(ArrayStatusTest, CountsUnits) {
  EXPECT_EQ(stage(ArrayStage::kFormat).state, StageState::kNotStarted);
  const std::uint64_t pieces = stage(ArrayStage::kFormat).tasks_planned;
  ASSERT_GT(pieces, 3U);
  run_->task(ArrayStage::kFormat, 0, 2);
  const StageStatus half = stage(ArrayStage::kFormat);
  EXPECT_EQ(half.tasks_done, (pieces + 1) / 2);
  EXPECT_EQ(half.state, StageState::kInterrupted);
  EXPECT_DOUBLE_EQ(half.fraction, static_cast<double>(half.tasks_done) / static_cast<double>(pieces));
  run_->task(ArrayStage::kFormat, 1, 2);
  EXPECT_EQ(stage(ArrayStage::kFormat).state, StageState::kDone);
  EXPECT_EQ(stage(ArrayStage::kPlace).state, StageState::kNotStarted);
  EXPECT_TRUE(status().is_array);
  EXPECT_FALSE(status().is_done());
}

TEST_F(ArrayStatusTest, AFinishedJobIsAFinishedRun) {
  run_->stages(ArrayStage::kFormat, ArrayStage::kFinish, 2);
  const DatasetStatus all = status();
  EXPECT_TRUE(all.is_done());
  EXPECT_FALSE(all.is_array);
  EXPECT_EQ(all.stages.back().stage, "manifest");
}

TEST_F(ArrayStatusTest, RunningAttempts) {
  report("");
  EXPECT_EQ(stage(ArrayStage::kFormat).state, StageState::kRunning);
  EXPECT_THAT(stage(ArrayStage::kFormat).remark, HasSubstr("1 running"));
  EXPECT_TRUE(status().is_running);
  // On another machine, while it keeps reporting.
  report("", 20, "other");
  EXPECT_EQ(stage(ArrayStage::kFormat).state, StageState::kRunning);
}

TEST_F(ArrayStatusTest, GoneAttempts) {
  report("", 600, "other");
  EXPECT_EQ(stage(ArrayStage::kFormat).state, StageState::kInterrupted);
  EXPECT_THAT(stage(ArrayStage::kFormat).remark, HasSubstr("1 gone"));
  EXPECT_FALSE(status().is_running);
}

TEST_F(ArrayStatusTest, FailedAttemptsCountUntilTheirUnitsAreDone) {
  report("no space");
  EXPECT_EQ(stage(ArrayStage::kFormat).state, StageState::kFailed);
  EXPECT_THAT(stage(ArrayStage::kFormat).remark, testing::AllOf(HasSubstr("1 failed"), HasSubstr("task 0"),
                                                                HasSubstr("Slurm 12_0"), HasSubstr("no space")));
  run_->task(ArrayStage::kFormat, 0, 2);
  EXPECT_EQ(stage(ArrayStage::kFormat).state, StageState::kInterrupted);
  EXPECT_EQ(stage(ArrayStage::kFormat).remark, "");
}

// Its own report: exists while it works, removed when done, kept after a failure.
TEST_F(ArrayStatusTest, AttemptsReportThemselves) {
  class Looks : public Progress {
   public:
    explicit Looks(fs::path folder) : folder_(std::move(folder)) {}
    void begin(std::string_view, std::uint64_t, std::string_view) override { reports = read_attempts(folder_); }
    std::vector<ProgressReport> reports;

   private:
    fs::path folder_;
  };
  Looks progress(run_->job_folder() / "attempts");
  run_->task(ArrayStage::kFormat, 1, 2, progress);
  ASSERT_EQ(progress.reports.size(), 1U);
  EXPECT_EQ(progress.reports.front().stage, "format");
  EXPECT_EQ(progress.reports.front().attempt->share.task, 1U);
  EXPECT_THAT(read_attempts(run_->job_folder() / "attempts"), IsEmpty());
  EXPECT_THROW(run_->task(ArrayStage::kPlace), FormatError);
  const auto left = read_attempts(run_->job_folder() / "attempts");
  ASSERT_EQ(left.size(), 1U);
  EXPECT_THAT(left.front().error, HasSubstr("'format' is not done"));
}

TEST_F(ArrayStatusTest, LooksAndWritesNothing) {
  run_->stages(ArrayStage::kFormat, ArrayStage::kInstances, 2);
  // A winner that was killed before it renamed its file.
  const fs::path shard = run_->job_folder() / "shard/piece_00000.bundle";
  const fs::path state = run_->job_folder() / ".shard.bertprep";
  fs::path partial;
  {
    const Json record = Json::parse(read_bytes(state / "records/piece_00000.json"), "record");
    partial = state / "partial" / record.at("outputs").items().front().at("partial").text();
  }
  fs::rename(shard, partial);
  const FileTree before = read_tree(folder_.path());
  EXPECT_EQ(stage(ArrayStage::kShard).state, StageState::kDone);
  EXPECT_EQ(difference(before, read_tree(folder_.path())), "");
  EXPECT_EQ(run_->task(ArrayStage::kShard).tasks_made, 0U);
  EXPECT_TRUE(fs::exists(shard));
}

TEST_F(ArrayStatusTest, UnfinishedTasks) {
  const auto left = [&](std::uint64_t count) { return unfinished_tasks(run_->job(), ArrayStage::kInstances, count); };
  EXPECT_THAT(left(3), ElementsAre(0, 1, 2));
  EXPECT_THAT(left(9), ElementsAre(0, 1, 2, 3, 4));
  run_->stages(ArrayStage::kFormat, ArrayStage::kShard);
  run_->task(ArrayStage::kInstances, 2, 5);
  EXPECT_THAT(left(5), ElementsAre(0, 1, 3, 4));
  EXPECT_THAT(left(2), ElementsAre(0, 1));
  run_->stages(ArrayStage::kInstances, ArrayStage::kFinish);
  EXPECT_THAT(left(5), IsEmpty());
}

}  // namespace
}  // namespace bertprep::test
