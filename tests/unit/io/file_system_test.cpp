#include "io/file_system.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <set>
#include <thread>

#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "support/temp_folder.h"

namespace {

std::atomic<bool> can_refuse_to_replace{true};  // NOLINT: what renameat2() below does

}  // namespace

// Replaces the C library's: NFS answers like this.
extern "C" int renameat2(int old_folder, const char* from, int new_folder, const char* to, unsigned int flags) {
  if (can_refuse_to_replace) {
    return static_cast<int>(::syscall(SYS_renameat2, old_folder, from, new_folder, to, flags));
  }
  errno = EINVAL;
  return -1;
}

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// Whether the file system can refuse to replace.
class RenameIfFree : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override { can_refuse_to_replace = GetParam(); }
  void TearDown() override { can_refuse_to_replace = true; }

  test::TempFolder temp_;
};

TEST_P(RenameIfFree, KeepsAnExistingFile) {
  const fs::path first = temp_.write("first", "1");
  const fs::path second = temp_.write("second", "2");
  EXPECT_TRUE(rename_if_free(first, temp_ / "kept"));
  EXPECT_FALSE(rename_if_free(second, temp_ / "kept"));
  EXPECT_EQ(read_file(temp_ / "kept"), "1");
  EXPECT_EQ(read_file(second), "2");
  EXPECT_FALSE(fs::exists(first));
}

TEST_P(RenameIfFree, LeavesNothingOfARenameThatFails) {
  EXPECT_THROW(rename_if_free(temp_ / "absent", temp_ / "kept"), IoError);
  EXPECT_FALSE(fs::exists(temp_ / "kept"));
}

TEST_P(RenameIfFree, LosesNothingWhenManyTakeNamesAtOnce) {
  constexpr int kThreads = 4;
  constexpr int kFiles = 25;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([this, thread] {
      for (int i = 0; i < kFiles; ++i) {
        const std::string name = std::to_string(thread) + "-" + std::to_string(i);
        const fs::path file = temp_.write(name, name);
        for (int number = 1; !rename_if_free(file, temp_ / ("kept-" + std::to_string(number))); ++number) {
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::string> kept;
  for (const auto& file : fs::directory_iterator(temp_.path())) kept.insert(read_file(file));
  EXPECT_EQ(kept.size(), static_cast<std::size_t>(kThreads * kFiles));
}

INSTANTIATE_TEST_SUITE_P(AnyFileSystem, RenameIfFree, testing::Bool());

}  // namespace
}  // namespace bertprep
