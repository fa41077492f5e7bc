#include "pipeline/records/output_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "bertprep/base/error.h"
#include "io/output_file.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

using test::TempFolder;

CompletionRecord write(const OutputFolder& folder, const std::string& name, const std::string& key) {
  PendingFile pending = folder.begin(name);
  OutputFile file(pending.path());
  file.write("content of " + name);
  file.finish();
  CompletionRecord record{.key = key, .outputs = {OutputFolder::describe(pending)}};
  record.counts.add("rows", Json::number(3));
  pending.publish();
  folder.write_record(name, record);
  return record;
}

TEST(OutputFolder, HoldsResultsAloneAndItsStateBeside) {
  const TempFolder temp;
  const OutputFolder folder(temp / "out/data");
  write(folder, "a.txt", "k");
  EXPECT_EQ(folder.state_folder(), std::filesystem::canonical(temp.path()) / "out/.data.bertprep");
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(temp / "out/data"))
    names.push_back(entry.path().filename());
  EXPECT_THAT(names, testing::ElementsAre("a.txt"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.state_folder() / "partial"));
}

TEST(OutputFolder, TheStateOfASingleFileIsInItsFolder) {
  const TempFolder temp;
  const std::filesystem::path root = std::filesystem::canonical(temp.path());
  EXPECT_EQ(OutputFolder::of_file(temp / "out/a.txt").state_folder(), root / "out/.bertprep");
  EXPECT_EQ(OutputFolder(temp / "out").state_folder(), root / "out/.bertprep");
  // As earlier versions made it.
  temp.write(".old.bertprep/records/a.txt.begun", "");
  EXPECT_EQ(OutputFolder::of_file(temp / "old/a.txt").state_folder(), root / ".old.bertprep");
}

TEST(OutputFolder, NoStateIsAboveTheCurrentFolder) {
  const TempFolder temp;
  const std::filesystem::path root = std::filesystem::canonical(temp.path());
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::create_directories(temp / "home/here");
  std::filesystem::current_path(temp / "home/here");
  EXPECT_EQ(OutputFolder(".").state_folder(), root / "home/here/.bertprep");
  EXPECT_EQ(OutputFolder("..").state_folder(), root / "home/.bertprep");
  EXPECT_EQ(OutputFolder("data").state_folder(), root / "home/here/.data.bertprep");
  EXPECT_EQ(OutputFolder("../here2").state_folder(), root / "home/.here2.bertprep");
  std::filesystem::current_path(before);
}

TEST(OutputFolder, AnAddressIsNoFolder) {
  EXPECT_THAT([] { OutputFolder("s3://bertprep-test/x"); },
              testing::ThrowsMessage<ConfigError>(testing::StartsWith("'s3://bertprep-test/x' is an address")));
  EXPECT_FALSE(std::filesystem::exists("s3:"));
}

TEST(OutputFolder, FindsFinishedTasksByKeyAndSize) {
  const TempFolder temp;
  const OutputFolder folder(temp / "data");
  write(folder, "a.txt", "k");
  EXPECT_TRUE(folder.finished("a.txt", "k"));
  EXPECT_FALSE(folder.finished("a.txt", "another recipe"));
  EXPECT_FALSE(folder.finished("b.txt", "k"));
  temp.write("data/a.txt", "cut");
  EXPECT_FALSE(folder.finished("a.txt", "k"));
  std::filesystem::remove(temp / "data/a.txt");
  EXPECT_FALSE(folder.finished("a.txt", "k"));
}

TEST(OutputFolder, RecordsComeBackWhole) {
  const TempFolder temp;
  const OutputFolder folder(temp / "data");
  const CompletionRecord written = write(folder, "a.txt", "k");
  const auto read = folder.record("a.txt");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->outputs.front().sha256, written.outputs.front().sha256);
  EXPECT_EQ(read->counts.at("rows").as_unsigned(), 3u);
  temp.write(".data.bertprep/records/a.txt.json", "{\"key\": ");
  EXPECT_FALSE(folder.record("a.txt"));
  EXPECT_THROW(parse_record(test::read_bytes(temp / ".data.bertprep/records/a.txt.json"), ""), FormatError);
}

TEST(OutputFolder, ARecordOfFilesElsewhereCountsAsNone) {
  const TempFolder temp;
  const OutputFolder folder(temp / "shards");
  for (const std::string name : {"/etc/hostname", "../other/a.txt", "AA/../../a.txt"}) {
    folder.write_record("t", {.key = "k", .outputs = {{name, 1, "0"}}});
    EXPECT_FALSE(folder.record("t")) << name;
    folder.write_record("t", {.key = "k", .outputs = {{"a.txt", 1, "0", name}}});
    EXPECT_FALSE(folder.record("t")) << name;
  }
  folder.write_record("t", {.key = "k", .outputs = {{"AA/wiki_00", 1, "0"}}});
  EXPECT_TRUE(folder.record("t"));
}

TEST(OutputFolder, AnUnfinishedFileLeavesNothing) {
  const TempFolder temp;
  const OutputFolder folder(temp / "data");
  {
    const PendingFile pending = folder.begin("a.txt");
    OutputFile file(pending.path());
    file.write("half");
    file.finish();
  }
  EXPECT_TRUE(std::filesystem::is_empty(temp / "data"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.state_folder() / "partial"));
}

TEST(OutputFolder, RemovesLeftoversOfKilledProcesses) {
  const TempFolder temp;
  std::filesystem::path left;
  {
    const OutputFolder folder(temp / "data");
    const PendingFile pending = folder.begin("a.txt");
    // The same name with an impossible process number, larger than any system's limit.
    std::string name = pending.path().filename().string();
    const std::size_t end = name.rfind(".partial");
    const std::size_t dot = name.rfind('.', end - 1);
    left = pending.path().parent_path() / (name.substr(0, dot) + ".999999999.partial");
    OutputFile file(left);
    file.finish();
  }
  ASSERT_TRUE(std::filesystem::exists(left));
  const OutputFolder again(temp / "data");
  EXPECT_FALSE(std::filesystem::exists(left));
}

TEST(OutputFolder, RefusesFilesOfAnotherRun) {
  const TempFolder temp;
  const OutputFolder folder(temp / "data");
  write(folder, "x_training_0.txt", "k");
  write(folder, "x_training_1.txt", "k");
  temp.write("data/notes.txt", "none of ours");
  EXPECT_NO_THROW(folder.reject_foreign_files("x", ".txt", {"x_training_0.txt", "x_training_1.txt"}, false));
  try {
    folder.reject_foreign_files("x", ".txt", {"x_training_0.txt"}, false);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("x_training_1.txt"));
  }
  folder.reject_foreign_files("x", ".txt", {"x_training_0.txt"}, true);
  EXPECT_FALSE(std::filesystem::exists(temp / "data/x_training_1.txt"));
  EXPECT_TRUE(std::filesystem::exists(temp / "data/notes.txt"));
}

// Whichever of two equal processes is killed, and wherever: one writes the record, another takes it away to write it
// again.
TEST(OutputFolder, FilesOfTwoProcessesAtATaskStayKnownAsOurs) {
  constexpr int kRounds = 100;
  const TempFolder temp;
  const OutputFolder folder(temp / "data");
  const std::vector<std::string> names = {"a.txt"};
  for (int round = 0; round < kRounds; ++round) {
    {
      const std::jthread killed_before_it_writes([&] { folder.withdraw_record("a.txt"); });
      folder.begin_task("a.txt");
      write(folder, "a.txt", "k");
    }
    ASSERT_NO_THROW(folder.refuse_foreign("a.txt", names)) << "in round " << round;
  }
  folder.remove_task("a.txt", names);
  temp.write("data/a.txt", "the user's own");
  EXPECT_THROW(folder.refuse_foreign("a.txt", names), FormatError);
}

TEST(OutputFolder, ListsTasksInTheOrderOfTheirNumbers) {
  const TempFolder temp;
  const OutputFolder folder(temp / "data");
  for (const char* name : {"x_training_10", "x_training_9", "x_test_2", "x_training_0"}) write(folder, name, "k");
  EXPECT_THAT(folder.recorded_tasks(),
              testing::ElementsAre("x_test_2", "x_training_0", "x_training_9", "x_training_10"));
}

TEST(OutputFolder, AProcessKilledBeforeItMadeTheFolderOfRecordsHasNone) {
  const TempFolder temp;
  temp.write("data/.bertprep/partial/x", "half");
  const auto folder = OutputFolder::find_shared(temp / "data");
  ASSERT_TRUE(folder);
  EXPECT_THAT(folder->recorded_tasks(), testing::IsEmpty());
  EXPECT_FALSE(folder->record("x"));
}

TEST(OutputFolder, AFileInTheWayIsAnError) {
  const TempFolder temp;
  temp.write("data", "a file");
  EXPECT_THROW(OutputFolder(temp / "data"), IoError);
}

}  // namespace
}  // namespace bertprep
