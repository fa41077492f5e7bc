#include "io/record_files.h"

#include <gmock/gmock.h>

#include <array>
#include <atomic>
#include <fstream>
#include <thread>
#include <vector>

#include "io/input_file.h"
#include "io/json.h"
#include "support/temp_folder.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;

TaskDocument document(const std::string& task, const std::string& value) {
  return {task, seal(Json::object().add("task", Json::string(task)).add("value", Json::string(value)))};
}

class RecordFilesTest : public testing::Test {
 protected:
  RecordFilesTest() { fs::create_directories(temp_ / "state/records"); }
  fs::path journal(int number) const { return temp_ / "state/records" / (std::to_string(number) + ".journal"); }
  template <class Records>
  std::string value_of(Records&& records, const std::string& task) const {
    const auto bytes = records.read(task);
    return bytes ? parse_sealed(*bytes, task).at("value").text() : "none";
  }

  TempFolder temp_;
};

TEST_F(RecordFilesTest, TheLastDocumentOfATaskCounts) {
  {
    RecordFiles first(temp_ / "state");
    first.append(std::array{document("a", "1"), document("b", "1")});
    first.append(std::array{document("a", "2")});
    EXPECT_EQ(value_of(first, "a"), "2");
  }
  RecordFiles second(temp_ / "state");
  EXPECT_EQ(value_of(second, "a"), "2");
  second.append(std::array{document("b", "3")});
  EXPECT_TRUE(fs::exists(journal(2))) << "each process has its own";
  RecordFiles third(temp_ / "state");
  EXPECT_EQ(value_of(third, "b"), "3");
  EXPECT_THAT(third.tasks(), testing::UnorderedElementsAre("a", "b"));
  EXPECT_EQ(third.file_of("a"), journal(1));
  EXPECT_EQ(third.file_of("b"), journal(2));
}

TEST_F(RecordFilesTest, AFileOfItsOwnCountsBeforeJournalsUntilOneIsAppended) {
  RecordFiles records(temp_ / "state");
  records.append(std::array{document("a", "journal")});
  records.write("a", document("a", "file").bytes, temp_ / "state");
  EXPECT_EQ(value_of(records, "a"), "file");
  records.append(std::array{document("a", "newer")});
  EXPECT_EQ(value_of(records, "a"), "newer");
  EXPECT_FALSE(fs::exists(temp_ / "state/records/a.json"));
}

TEST_F(RecordFilesTest, WhatWasBegunStaysKnownUntilItIsRemoved) {
  for (const bool is_journaled : {true, false}) {
    RecordFiles records(temp_ / "state");
    EXPECT_FALSE(records.was_begun("a"));
    if (is_journaled) {
      records.append(std::array{document("a", "1")});
    } else {
      records.write("a", document("a", "1").bytes, temp_ / "state");
    }
    records.withdraw("a");
    for (const auto& seen : {&records, static_cast<RecordFiles*>(nullptr)}) {
      RecordFiles fresh(temp_ / "state");
      RecordFiles& one = seen == nullptr ? fresh : *seen;
      EXPECT_FALSE(one.read("a"));
      EXPECT_TRUE(one.was_begun("a"));
      EXPECT_THAT(one.tasks(), testing::IsEmpty());
    }
    records.remove("a");
    EXPECT_FALSE(records.was_begun("a"));
    EXPECT_FALSE(RecordFiles(temp_ / "state").was_begun("a"));
  }
}

// At every byte.
TEST_F(RecordFilesTest, AKillWhileAppendingLosesOnlyTheLastDocument) {
  const std::string first = document("a", "1").bytes, second = document("b", "1").bytes;
  for (std::size_t cut = 0; cut < second.size(); ++cut) {
    std::ofstream(journal(1)) << first << second.substr(0, cut);
    RecordFiles records(temp_ / "state");
    EXPECT_EQ(value_of(records, "a"), "1");
    EXPECT_FALSE(records.read("b")) << cut;
    records.append(std::array{document("c", "1")});
    EXPECT_TRUE(fs::remove(journal(2)));
  }
}

TEST_F(RecordFilesTest, CompactingKeepsWhatOthersHaveAppendedMeanwhile) {
  RecordFiles first(temp_ / "state"), second(temp_ / "state");
  first.append(std::array{document("a", "1")});
  const std::array gathered{document("a", "1")};
  second.append(std::array{document("b", "1")});
  first.compact(gathered, temp_ / "state");
  EXPECT_FALSE(fs::exists(journal(2)));
  EXPECT_EQ(value_of(RecordFiles(temp_ / "state"), "b"), "1");
  // Into a journal that has lost its name: another.
  second.append(std::array{document("c", "1")});
  EXPECT_EQ(value_of(RecordFiles(temp_ / "state"), "b"), "1");
  EXPECT_EQ(value_of(RecordFiles(temp_ / "state"), "c"), "1");
}

TEST_F(RecordFilesTest, NothingIsLostWhileOthersCompact) {
  constexpr int kTasks = 300;
  std::atomic<bool> is_done = false;
  std::jthread appending([&] {
    RecordFiles records(temp_ / "state");
    for (int i = 0; i < kTasks; ++i) records.append(std::array{document("t" + std::to_string(i), "1")});
    is_done = true;
  });
  while (!is_done) {
    RecordFiles records(temp_ / "state");
    std::vector<TaskDocument> documents;
    for (const std::string& task : records.tasks()) documents.push_back(document(task, "1"));
    records.compact(documents, temp_ / "state");
  }
  appending.join();
  EXPECT_EQ(RecordFiles(temp_ / "state").tasks().size(), std::size_t{kTasks});
}

// A compacted journal may get the inode of one that another compaction has removed.
TEST_F(RecordFilesTest, KnowsAJournalByMoreThanItsInode) {
  RecordFiles reader(temp_ / "state");
  RecordFiles(temp_ / "state").append(std::array{document("b", "1"), document("c", "1")});
  EXPECT_THAT(reader.tasks(), testing::ElementsAre("b", "c"));
  std::ofstream(journal(1)) << document("a", "1").bytes << document("b", "1").bytes << document("c", "1").bytes;
  EXPECT_THAT(reader.tasks(), testing::ElementsAre("a", "b", "c"));
}

TEST_F(RecordFilesTest, SeesWhatOthersAppendLater) {
  RecordFiles reader(temp_ / "state");
  EXPECT_FALSE(reader.read("a"));
  RecordFiles writer(temp_ / "state");
  writer.append(std::array{document("a", "1")});
  EXPECT_THAT(reader.tasks(), testing::ElementsAre("a"));
  EXPECT_EQ(value_of(reader, "a"), "1");
}

TEST_F(RecordFilesTest, AThingInTheWayOfAJournalIsPassed) {
  RecordFiles records(temp_ / "state");
  records.append(std::array{document("a", "1")});
  fs::create_directories(journal(2));  // a foreign thing in the way
  RecordFiles other(temp_ / "state");
  EXPECT_NO_THROW(other.append(std::array{document("b", "1")}));
  EXPECT_EQ(value_of(RecordFiles(temp_ / "state"), "b"), "1");
}

TEST_F(RecordFilesTest, AFolderThatIsMissingHasNone) {
  RecordFiles records(temp_ / "nowhere");
  EXPECT_THAT(records.tasks(), testing::IsEmpty());
  EXPECT_FALSE(records.read("a"));
}

}  // namespace
}  // namespace bertprep::test
