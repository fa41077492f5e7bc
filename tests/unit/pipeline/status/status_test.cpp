#include "pipeline/status/status.h"

#include <gmock/gmock.h>

#include <array>
#include <fstream>
#include <map>

#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "io/pending_file.h"
#include "io/record_files.h"
#include "pipeline/records/progress_journal.h"
#include "support/sealed_bytes.h"
#include "token/vocab_catalogue.h"
#include "unit/pipeline/small_run.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class StatusTest : public testing::Test {
 protected:
  DatasetStatus status() const {
    const std::vector<DatasetStatus> all = status_of(folder_ / "root", folder_ / "work");
    EXPECT_EQ(all.size(), 1U);
    return all.empty() ? DatasetStatus{} : all.front();
  }
  // The stage of this name; for instances, that of the first phase.
  static StageStatus stage(const DatasetStatus& status, const std::string& name) {
    for (const StageStatus& found : status.stages) {
      if (found.stage == name) return found;
    }
    ADD_FAILURE() << name;
    return {};
  }
  BuildReport build_all() { return small_build(folder_, options_); }
  // Writes the report of a process killed in `stage`.
  void leave_dead_report(const std::string& stage, std::uint64_t done, std::uint64_t total,
                         const std::string& error = {}) {
    ProgressReport report = ProgressReport::of_this_process();
    report.error = error;
    report.stage = stage;
    report.done = done;
    report.total = total;
    report.work = folder_ / "work";
    report.process.start += 1;
    for (const auto& phase : fs::directory_iterator(folder_ / "root")) {
      publish_bytes(phase.path() / ".small.bertprep" / ProgressReport::kFileName, phase.path() / ".small.bertprep",
                    report.to_json().dump());
    }
  }

  TempFolder folder_;
  PipelineOptions options_ = small_options(folder_);
};

TEST_F(StatusTest, AFinishedRunIsDone) {
  const BuildReport report = build_all();
  const DatasetStatus all = status();
  EXPECT_EQ(all.name, "small");
  EXPECT_TRUE(all.is_done());
  EXPECT_FALSE(all.is_running);
  ASSERT_EQ(all.stages.size(), 5U);
  EXPECT_EQ(stage(all, "format").articles, 40U);
  EXPECT_EQ(stage(all, "shard").tasks_done, 5U);
  EXPECT_EQ(stage(all, "shard").sentences, report.stages[1].sentences);
  EXPECT_EQ(all.stages[2].seq_len, 128U);
  EXPECT_EQ(all.stages[3].seq_len, 512U);
  EXPECT_EQ(all.stages[2].rows + all.stages[3].rows, report.rows);
  EXPECT_EQ(all.stages[2].tasks_done, 5U);
  EXPECT_EQ(all.stages[2].articles, 40U);
  EXPECT_EQ(stage(all, "manifest").tasks_done, 2U);
}

TEST_F(StatusTest, AnotherTextInWorkIsNotThatOfAFinishedRun) {
  const auto without_text = [](const DatasetStatus& all, const char* name) {
    const StageStatus found = stage(all, name);
    return found.state == StageState::kDone && found.articles == 0 && found.remark.starts_with("not checked");
  };
  build_all();
  CorpusPart other{.inputs = {folder_.write("others.txt", small_articles(41))}};
  other.source.format = InputFormat::kArticles;
  PipelineOptions forced = options_;
  forced.work.force = true;
  Progress silent;
  build(std::array{other}, {folder_ / "other-root", folder_ / "work"}, forced, silent);
  folder_.write("work/download/.small.bertprep/b.zip.part", "123");
  folder_.write("work/download/wikitext-2/a.txt", "12345");
  const DatasetStatus all = status();
  EXPECT_TRUE(all.is_done());
  EXPECT_TRUE(without_text(all, "format"));
  EXPECT_TRUE(without_text(all, "shard"));
  EXPECT_EQ(stage(status_of(folder_ / "other-root", folder_ / "work").front(), "format").articles, 41U);
}

TEST_F(StatusTest, NothingIsWritten) {
  build_all();
  std::map<std::string, fs::file_time_type> before;
  for (const auto& entry : fs::recursive_directory_iterator(folder_.path()))
    before[entry.path()] = entry.last_write_time();
  status();
  for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
    EXPECT_EQ(before.at(entry.path()), entry.last_write_time()) << entry.path();
  }
}

TEST_F(StatusTest, ALostShardIsDamage) {
  const BuildReport report = build_all();
  fs::remove(report.shard_folders[0] / "small_training_1.hdf5");
  const DatasetStatus all = status();
  EXPECT_FALSE(all.is_done());
  EXPECT_EQ(all.stages[2].state, StageState::kDamaged);
  EXPECT_EQ(all.stages[2].tasks_done, 4U);
  EXPECT_THAT(all.stages[2].remark, HasSubstr("small_training_1.hdf5"));
  EXPECT_EQ(all.stages[3].state, StageState::kDone);
}

TEST_F(StatusTest, ATruncatedShardIsDamage) {
  const BuildReport report = build_all();
  fs::resize_file(report.shard_folders[1] / "small_test_0.hdf5", 10);
  EXPECT_EQ(status().stages[3].state, StageState::kDamaged);
}

TEST_F(StatusTest, AnUnreadableRecordIsDamage) {
  build_all();
  const auto state = status().shard_folders[0].parent_path() / ".small.bertprep";
  std::ofstream(state / "records/small_test_1.json") << "{\n  \"task\": ";
  EXPECT_EQ(status().stages[2].state, StageState::kDamaged);
}

TEST_F(StatusTest, ATruncatedOrIncompleteTextRecordIsDamage) {
  const BuildReport report = build_all();
  for (const fs::path& shards : report.shard_folders) {
    fs::remove_all(shards);
    fs::remove_all(shards.parent_path() / ".small.bertprep/records");
  }
  std::map<fs::path, std::string> records;
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "work")) {
    if (entry.path().extension() == ".json") records[entry.path()] = read_file(entry.path());
  }
  const auto without_articles = [](std::string bytes) {
    const std::size_t at = bytes.find("\"articles\":");
    if (at != std::string::npos) bytes[at + 1] = 'A';
    return sealed_anew(bytes);
  };
  for (const bool cut : {true, false}) {
    for (const auto& [file, bytes] : records) {
      std::ofstream(file, std::ios::binary) << (cut ? bytes.substr(0, 30) : without_articles(bytes));
    }
    const DatasetStatus all = status();
    for (const char* name : {"format", "shard"}) {
      EXPECT_EQ(stage(all, name).state, StageState::kDamaged) << name << cut;
      EXPECT_EQ(stage(all, name).remark, "its completion record can't be read");
    }
  }
}

TEST_F(StatusTest, MissingShardsAreStillToBeMade) {
  const BuildReport report = build_all();
  const auto state = report.shard_folders[0].parent_path() / ".small.bertprep";
  for (const char* name : {"small_training_0", "small_training_2"}) {
    fs::remove(report.shard_folders[0] / (std::string(name) + ".hdf5"));
    RecordFiles(state).remove(name);
  }
  leave_dead_report("instances", 3, 5);
  const StageStatus instances = status().stages[2];
  EXPECT_EQ(instances.state, StageState::kInterrupted);
  EXPECT_EQ(instances.tasks_done, 3U);
  EXPECT_EQ(instances.tasks_planned, 5U);
  EXPECT_DOUBLE_EQ(instances.fraction, 0.6);
}

TEST_F(StatusTest, AKilledFormatIsInterrupted) {
  Progress silent;
  { RunJournal(small_folders(folder_), description_of(small_folders(folder_), options_), silent).finish(); }
  leave_dead_report("format", 9, 20);
  const DatasetStatus all = status();
  EXPECT_EQ(stage(all, "format").state, StageState::kInterrupted);
  EXPECT_DOUBLE_EQ(stage(all, "format").fraction, 0.45);
  EXPECT_EQ(stage(all, "shard").state, StageState::kNotStarted);
  EXPECT_EQ(stage(all, "shard").tasks_planned, 5U);
  EXPECT_EQ(stage(all, "instances").state, StageState::kNotStarted);
  EXPECT_EQ(stage(all, "manifest").state, StageState::kNotStarted);
}

TEST_F(StatusTest, AnErrorIsAFailure) {
  const BuildReport report = build_all();
  fs::remove(report.shard_folders[0] / "small_training_1.hdf5");
  RecordFiles(report.shard_folders[0].parent_path() / ".small.bertprep").remove("small_training_1");
  EXPECT_EQ(status().state(), DatasetState::kInterrupted);
  leave_dead_report("instances", 3, 5, "the disk is full");
  EXPECT_EQ(status().state(), DatasetState::kFailed);
  EXPECT_EQ(status().error, "the disk is full");
  EXPECT_EQ(status().stages[2].state, StageState::kFailed);
  build_all();
  EXPECT_EQ(status().state(), DatasetState::kDone);
}

TEST_F(StatusTest, ALivingProcessIsRunning) {
  Progress silent;
  RunJournal journal(small_folders(folder_), description_of(small_folders(folder_), options_), silent);
  DatasetStatus all = status();
  EXPECT_TRUE(all.is_running);
  EXPECT_EQ(stage(all, "format").state, StageState::kRunning);
  EXPECT_EQ(stage(all, "shard").state, StageState::kNotStarted);
}

TEST_F(StatusTest, RemovedTextIsNotMissed) {
  options_.work.keep = {false, false, false, false};
  build_all();
  const DatasetStatus all = status();
  EXPECT_TRUE(all.is_done());
  EXPECT_EQ(stage(all, "format").articles, 40U);
  EXPECT_EQ(stage(all, "shard").tasks_done, 0U);
}

TEST_F(StatusTest, AWorkFolderElsewhereIsNoDamage) {
  build_all();
  fs::rename(folder_ / "work", folder_ / "moved");
  const DatasetStatus all = status();
  EXPECT_TRUE(all.is_done());
  EXPECT_THAT(stage(all, "format").remark, HasSubstr((folder_ / "work").string()));
}

TEST_F(StatusTest, ShardsOfOtherOptionsAreNotDone) {
  build_all();
  options_.layout.chunks = ChunkLayout::kReference;
  Progress silent;
  { RunJournal(small_folders(folder_), description_of(small_folders(folder_), options_), silent).finish(); }
  const DatasetStatus all = status();
  EXPECT_EQ(all.stages[2].tasks_done, 0U);
  EXPECT_EQ(all.stages[2].state, StageState::kInterrupted);
  EXPECT_THAT(all.stages[2].remark, HasSubstr("5 shards with other options"));
}

TEST_F(StatusTest, TwoRunsOfOneNameAreTwo) {
  build_all();
  options_.instances.random_seed = "7";
  options_.corpus.phase = Phase::kPhase1;
  small_build(folder_, options_);
  const std::vector<DatasetStatus> all = status_of(folder_ / "root", folder_ / "work");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].shard_folders.size() + all[1].shard_folders.size(), 3U);
  EXPECT_TRUE(all[0].is_done() && all[1].is_done());
}

TEST_F(StatusTest, ShardsWithoutAJournalAreFound) {
  const BuildReport report = build_all();
  for (const fs::path& shards : report.shard_folders) fs::remove(shards.parent_path() / ".small.bertprep/run.json");
  const std::vector<DatasetStatus> all = status_of(folder_ / "root", folder_ / "work");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].stages[0].tasks_done, 5U);
  EXPECT_TRUE(all[0].is_done());
}

TEST_F(StatusTest, DownloadsBeforeARun) {
  folder_.write("work/download/wikitext-2/a.txt", "12345");
  folder_.write("work/download/.wikitext-2.bertprep/b.zip.part", "123");
  folder_.write("work/download/vocab/v.txt", "[PAD]\n");
  const DatasetStatus all = status();
  EXPECT_EQ(all.name, "wikitext-2");
  EXPECT_EQ(all.stages[0].stage, "fetch");
  EXPECT_EQ(all.stages[0].bytes, 8U);
  EXPECT_EQ(all.stages[0].state, StageState::kRunning);
}

TEST_F(StatusTest, NoSuchFolder) {
  EXPECT_THROW(status_of(folder_ / "absent"), IoError);
}

}  // namespace
}  // namespace bertprep::test
