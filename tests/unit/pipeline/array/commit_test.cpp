// OutputFolder::commit in a shared folder: one result, for any attempts and kills.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "bertprep/base/error.h"
#include "io/output_file.h"
#include "pipeline/records/output_folder.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;

class Commit : public testing::Test {
 protected:
  PendingFile write(const std::string& text) {
    PendingFile pending = folder_.begin("result");
    OutputFile file(pending.path());
    file.write(text);
    file.finish();
    return pending;
  }
  void commit(const std::string& text, const std::string& key) {
    PendingFile pending = write(text);
    folder_.commit("task", {.key = key, .outputs = {OutputFolder::describe(pending)}}, {&pending, 1});
  }
  // An attempt that replaces a record of another recipe may remove this one's by mistake: the attempt fails, and
  // engines retry.
  void commit_at_last(const std::string& text, const std::string& key) {
    for (int more_tries = 10;; --more_tries) {
      try {
        return commit(text, key);
      } catch (const IoError&) {
        if (more_tries == 0) throw;
      }
    }
  }
  // The state after an attempt was killed between its record and its rename.
  fs::path record_alone(const std::string& text, const std::string& key) {
    PendingFile pending = write(text);
    CompletionRecord record{.key = key, .outputs = {OutputFolder::describe(pending)}};
    record.outputs.front().partial = pending.path().filename().string();
    folder_.write_record("task", record);
    fs::path path = pending.path();
    pending.release();
    return path;
  }
  std::string result() const { return read_bytes(temp_ / "data/result"); }
  std::size_t unfinished() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(temp_ / ".data.bertprep/partial"), {}));
  }

  TempFolder temp_;
  OutputFolder folder_ = OutputFolder::make_shared(temp_ / "data");
};

TEST_F(Commit, TheFirstResultStays) {
  commit("first", "k");
  commit("other", "k");
  EXPECT_EQ(result(), "first");
  EXPECT_EQ(unfinished(), 0U);
  EXPECT_TRUE(folder_.finished("task", "k"));
}

TEST_F(Commit, AResultOfAnotherRecipeIsReplaced) {
  commit("older", "k1");
  commit("newer", "k2");
  EXPECT_EQ(result(), "newer");
  EXPECT_FALSE(folder_.finished("task", "k1"));
  EXPECT_TRUE(folder_.finished("task", "k2"));
  EXPECT_EQ(unfinished(), 0U);
}

TEST_F(Commit, AReaderContinuesForAKilledWinner) {
  record_alone("of the winner", "k");
  EXPECT_TRUE(folder_.finished("task", "k"));
  EXPECT_EQ(result(), "of the winner");
  EXPECT_EQ(unfinished(), 0U);
}

TEST_F(Commit, AnotherAttemptContinuesForAKilledWinner) {
  record_alone("of the winner", "k");
  commit("of another..", "k");
  EXPECT_EQ(result(), "of the winner");
  EXPECT_EQ(unfinished(), 0U);
}

// By size alone, the older file would count as the result.
TEST_F(Commit, AnOlderFileOfTheSameSizeIsNoResult) {
  temp_.write("data/result", "older");
  record_alone("newer", "k");
  EXPECT_TRUE(folder_.finished("task", "k"));
  EXPECT_EQ(result(), "newer");
}

TEST_F(Commit, AnOlderFileIsRemovedWithItsRecord) {
  commit("older", "k1");
  // The winner of another recipe is killed before its rename, and its files are removed.
  PendingFile pending = write("newer");
  CompletionRecord record{.key = "k2", .outputs = {OutputFolder::describe(pending)}};
  fs::remove(pending.path());
  EXPECT_THROW(folder_.commit("task", record, {&pending, 1}), IoError);
  commit("newer", "k2");
  EXPECT_EQ(result(), "newer");
}

TEST_F(Commit, LostDataAreMadeAgain) {
  fs::remove(record_alone("lost", "k"));
  EXPECT_FALSE(folder_.finished("task", "k"));
  commit("again", "k");
  EXPECT_EQ(result(), "again");
  fs::remove(temp_ / "data/result");
  EXPECT_FALSE(folder_.finished("task", "k"));
  commit("twice", "k");
  EXPECT_EQ(result(), "twice");
}

TEST_F(Commit, OneOfManyAttemptsCounts) {
  for (int round = 0; round < 20; ++round) {
    const std::string key = "k" + std::to_string(round);
    std::vector<std::thread> attempts;
    for (int i = 0; i < 6; ++i) attempts.emplace_back([&] { commit_at_last("equal bytes of " + key, key); });
    for (std::thread& attempt : attempts) attempt.join();
    const auto record = folder_.finished("task", key);
    ASSERT_TRUE(record);
    EXPECT_EQ(result(), "equal bytes of " + key);
  }
}

TEST_F(Commit, RemovesLeftovers) {
  write("left").release();
  EXPECT_EQ(unfinished(), 1U);
  folder_.remove_leftovers();
  EXPECT_FALSE(fs::exists(temp_ / ".data.bertprep/partial"));
  EXPECT_THROW(commit("late", "k"), IoError);
  EXPECT_FALSE(fs::exists(temp_ / "data/result"));
}

TEST_F(Commit, RecordsTellTheirPlan) {
  PendingFile pending = write("result");
  folder_.commit("task", {.key = "k", .outputs = {OutputFolder::describe(pending)}, .plan_key = "p"}, {&pending, 1});
  EXPECT_TRUE(folder_.finished_by_plan("task", "p"));
  EXPECT_FALSE(folder_.finished_by_plan("task", "q"));
  EXPECT_FALSE(folder_.finished_by_plan("other", "p"));
}

TEST(SharedFolder, IsNotMadeByTasks) {
  const TempFolder temp;
  EXPECT_FALSE(OutputFolder::find_shared(temp / "data"));
  EXPECT_THROW(OutputFolder::shared(temp / "data"), IoError);
  EXPECT_FALSE(fs::exists(temp / "data"));
}

}  // namespace
}  // namespace bertprep::test
