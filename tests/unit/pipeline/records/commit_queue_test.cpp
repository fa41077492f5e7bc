#include "pipeline/records/output_folder.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "bertprep/base/error.h"
#include "io/output_file.h"
#include "support/temp_folder.h"

namespace bertprep::test {
namespace {

constexpr const char* kKey = "k";

FinishedTask finished_task(const OutputFolder& folder, const std::string& name, const std::string& key = kKey) {
  PendingFile pending = folder.begin(name);
  OutputFile file(pending.path());
  file.write("content of " + name + " by " + key);
  file.finish();
  CompletionRecord record{.key = key, .outputs = {OutputFolder::describe(pending)}};
  return {name, std::move(record), std::move(pending)};
}

class CommitQueueTest : public testing::Test {
 protected:
  std::size_t files_in(const std::filesystem::path& folder) const {
    const std::filesystem::directory_iterator files(folder);
    return static_cast<std::size_t>(std::distance(begin(files), end(files)));
  }

  TempFolder temp_;
  OutputFolder folder_{temp_ / "data"};
  OutputFolder other_{temp_ / "other"};
};

TEST_F(CommitQueueTest, TasksFinishedSoonAfterACommitWait) {
  CommitQueue queue;
  queue.add(folder_, finished_task(folder_, "a"));
  queue.add(other_, finished_task(other_, "a"));
  queue.add(folder_, finished_task(folder_, "b"));
  EXPECT_EQ(files_in(temp_ / "data"), 0u);
  EXPECT_FALSE(folder_.record("a"));
  queue.commit_all();
  for (const char* task : {"a", "b"}) EXPECT_TRUE(folder_.finished(task, kKey)) << task;
  EXPECT_TRUE(other_.finished("a", kKey));
  EXPECT_EQ(files_in(folder_.state_folder() / "records"), 1u) << "one journal";
  EXPECT_EQ(files_in(folder_.state_folder() / "partial"), 0u);
}

TEST_F(CommitQueueTest, OneFolderCanBeCommittedAlone) {
  CommitQueue queue;
  queue.add(folder_, finished_task(folder_, "a"));
  queue.add(other_, finished_task(other_, "b"));
  queue.commit_all(other_);
  EXPECT_TRUE(other_.finished("b", kKey));
  EXPECT_FALSE(folder_.record("a"));
  queue.commit_all(other_);
  queue.commit_all(folder_);
  EXPECT_TRUE(folder_.finished("a", kKey));
}

TEST_F(CommitQueueTest, NothingWaitsLonger) {
  CommitQueue queue;
  queue.add(folder_, finished_task(folder_, "a"));
  std::this_thread::sleep_for(CommitQueue::kLongestWait);
  queue.add(folder_, finished_task(folder_, "b"));
  for (const char* task : {"a", "b"}) EXPECT_TRUE(folder_.finished(task, kKey)) << task;
}

TEST_F(CommitQueueTest, WorkersCommitDueTasks) {
  CommitQueue queue;
  queue.add(folder_, finished_task(folder_, "a"));
  queue.commit_due();
  EXPECT_FALSE(folder_.record("a"));
  std::this_thread::sleep_for(CommitQueue::kLongestWait);
  queue.commit_due();
  EXPECT_TRUE(folder_.finished("a", kKey));
}

TEST_F(CommitQueueTest, AnErrorOfTheRunLosesNothing) {
  try {
    CommitQueue queue;
    queue.add(folder_, finished_task(folder_, "a"));
    throw std::runtime_error("another task failed");
  } catch (const std::runtime_error&) {
    EXPECT_TRUE(folder_.finished("a", kKey));
  }
}

TEST_F(CommitQueueTest, AnOlderRecordIsReplaced) {
  for (const char* key : {"older", kKey}) {
    CommitQueue queue;
    queue.add(folder_, finished_task(folder_, "a", key));
  }
  EXPECT_FALSE(folder_.finished("a", "older"));
  EXPECT_TRUE(folder_.finished("a", kKey));
}

// Whatever the interrupted call had renamed, its files are known to be ours.
TEST_F(CommitQueueTest, AllTasksAreRecordedBeforeAnyFileIsRenamed) {
  std::filesystem::create_directories(temp_ / "data/b/in the way");
  {
    CommitQueue queue;
    for (const char* task : {"a", "b", "c"}) queue.add(folder_, finished_task(folder_, task));
    EXPECT_THROW(queue.commit_all(), IoError);
  }
  RecordFiles records(folder_.state_folder());
  for (const char* task : {"a", "b", "c"}) EXPECT_TRUE(records.was_begun(task)) << task;
  EXPECT_TRUE(std::filesystem::exists(temp_ / "data/a"));
  EXPECT_FALSE(folder_.finished("c", kKey)) << "its file is gone";

  std::filesystem::remove_all(temp_ / "data/b");
  {
    CommitQueue queue;
    for (const char* task : {"a", "b", "c"}) queue.add(folder_, finished_task(folder_, task));
  }
  for (const char* task : {"a", "b", "c"}) EXPECT_TRUE(folder_.finished(task, kKey)) << task;
}

TEST_F(CommitQueueTest, TasksOfAnArrayAreCommittedTogetherToo) {
  const OutputFolder shared = OutputFolder::make_shared(temp_ / "shared");
  {
    CommitQueue queue;
    queue.add(shared, finished_task(shared, "a"));
    queue.add(shared, finished_task(shared, "b"));
  }
  for (const char* task : {"a", "b"}) EXPECT_TRUE(shared.finished(task, kKey)) << task;
}

}  // namespace
}  // namespace bertprep::test
