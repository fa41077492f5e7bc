// A file that may not grow represents a full disk: in a separate process, since the limit applies to all files.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "bertprep/base/error.h"
#include "bertprep/shard/shard_writer.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"
#include "unit/shard/shard_rows.h"

namespace bertprep {
namespace {

constexpr int kIoError = 10;
constexpr int kOtherError = 11;
constexpr int kNoError = 12;

int write_with_limit(const std::filesystem::path& path, const std::string& layout, rlim_t limit_bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{limit_bytes, limit_bytes};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  const ShardShape shape{4000, 128, 20};
  try {
    test::write_shard(path, shape, test::valid_rows(shape, 1), layout);
    return kNoError;
  } catch (const IoError& error) {
    return error.where() == path.string() ? kIoError : kOtherError;
  } catch (const std::exception&) {
    return kOtherError;
  }
}

// Leaves through exit(), as a program does: the library may still misbehave then.
int exit_code_of_child(const std::filesystem::path& path, const std::string& layout, rlim_t limit_bytes) {
  const pid_t child = ::fork();
  if (child == 0) std::exit(write_with_limit(path, layout, limit_bytes));
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(FullDisk, IsAnIoErrorWhereverItHappens) {
  const test::TempFolder temp;
  for (const char* layout : {"rows", "reference"}) {
    for (const rlim_t limit : {0U, 100U, 3000U, 40000U, 300000U}) {
      EXPECT_EQ(exit_code_of_child(temp / "a.hdf5", layout, limit), kIoError) << layout << limit;
    }
    EXPECT_EQ(exit_code_of_child(temp / "a.hdf5", layout, 100000000U), kNoError) << layout;
  }
}

}  // namespace
}  // namespace bertprep
