#include "io/pending_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "bertprep/base/error.h"
#include "io/output_file.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

using test::read_bytes;
using test::TempFolder;

TEST(OutputFile, WritesMoreThanItsBuffer) {
  const TempFolder temp;
  std::string text;
  OutputFile file(temp / "out");
  for (int i = 0; i < 100000; ++i) {
    const std::string part = std::to_string(i) + " ";
    file.write(part);
    text += part;
  }
  file.finish();
  EXPECT_EQ(file.size_bytes(), text.size());
  EXPECT_EQ(read_bytes(temp / "out"), text);
}

TEST(OutputFile, AFullDiskIsAnError) {
  try {
    OutputFile file("/dev/full");
    file.write("x");
    file.finish();
    FAIL();
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("No space left on device"));
  }
}

TEST(OutputFile, AFolderThatIsNotThereIsAnError) {
  EXPECT_THROW(OutputFile("/nowhere/at/all"), IoError);
}

TEST(PendingFile, AppearsOnlyWhenPublished) {
  const TempFolder temp;
  PendingFile pending(temp / "result", temp.path());
  OutputFile file(pending.path());
  file.write("whole");
  file.finish();
  EXPECT_FALSE(std::filesystem::exists(temp / "result"));
  const std::filesystem::path beside = pending.path();
  pending.publish();
  EXPECT_EQ(read_bytes(temp / "result"), "whole");
  EXPECT_FALSE(std::filesystem::exists(beside));
}

TEST(PendingFile, ReplacesAnOlderFileAtOnce) {
  const TempFolder temp;
  temp.write("result", "old");
  publish_bytes(temp / "result", temp.path(), "new");
  EXPECT_EQ(read_bytes(temp / "result"), "new");
}

TEST(PendingFile, IsRemovedWhenItIsNotPublished) {
  const TempFolder temp;
  {
    const PendingFile pending(temp / "result", temp.path());
    OutputFile file(pending.path());
    file.finish();
  }
  EXPECT_TRUE(std::filesystem::is_empty(temp.path()));
}

TEST(PublishFirst, OneThreadOfManyWins) {
  const TempFolder temp;
  for (int round = 0; round < 20; ++round) {
    const std::filesystem::path name = temp / ("name" + std::to_string(round));
    std::atomic<int> winners = 0;
    std::atomic<int> winner = -1;
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&, i] {
        if (!publish_first(name, temp.path(), "of " + std::to_string(i))) return;
        ++winners;
        winner = i;
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(winners, 1);
    EXPECT_EQ(read_bytes(name), "of " + std::to_string(winner));
  }
  const auto files = std::distance(std::filesystem::directory_iterator(temp.path()), {});
  EXPECT_EQ(files, 20) << "something was left beside";
}

TEST(PublishFirst, OneProcessOfManyWins) {
  const TempFolder temp;
  std::vector<pid_t> children;
  for (int i = 0; i < 6; ++i) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(publish_first(temp / "name", temp.path(), std::to_string(i)) ? 1 : 0);
    children.push_back(child);
  }
  int winners = 0;
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    winners += WEXITSTATUS(status);
  }
  EXPECT_EQ(winners, 1);
}

TEST(PublishFirst, AnOlderFileStays) {
  const TempFolder temp;
  temp.write("name", "older");
  EXPECT_FALSE(publish_first(temp / "name", temp.path(), "newer"));
  EXPECT_EQ(read_bytes(temp / "name"), "older");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(temp.path()), {}), 1);
}

TEST(PublishFirst, AMissingFolderIsAnError) {
  const TempFolder temp;
  EXPECT_THROW(publish_first(temp / "absent/name", temp.path(), "bytes"), IoError);
  EXPECT_THROW(publish_first(temp / "name", temp / "absent", "bytes"), IoError);
  EXPECT_TRUE(std::filesystem::is_empty(temp.path()));
}

}  // namespace
}  // namespace bertprep
