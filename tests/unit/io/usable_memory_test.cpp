#include "io/process.h"

#include <gtest/gtest.h>

#include "support/temp_folder.h"

namespace bertprep::test {
namespace {

TEST(UsableMemory, IsThatOfTheMachineWithoutACgroup) {
  const TempFolder root;
  EXPECT_GT(usable_memory_bytes(root.path()), 1U << 20);
}

TEST(UsableMemory, IsTheLowestLimitOfTheCgroupsAround) {
  const TempFolder root;
  root.write("proc/self/cgroup", "0::/jobs/17/step\n");
  root.write("sys/fs/cgroup/memory.max", "max\n");
  root.write("sys/fs/cgroup/jobs/memory.max", "80000000\n");
  root.write("sys/fs/cgroup/jobs/17/memory.max", "4000000\n");
  root.write("sys/fs/cgroup/jobs/17/step/memory.max", "max\n");
  EXPECT_EQ(usable_memory_bytes(root.path()), 4'000'000U);
}

TEST(UsableMemory, KnowsTheFirstVersionOfCgroups) {
  const TempFolder root;
  root.write("proc/self/cgroup", "12:cpu,cpuacct:/a\n5:memory:/docker/ab\n0::/\n");
  root.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  root.write("sys/fs/cgroup/memory/docker/ab/memory.limit_in_bytes", "5000000\n");
  EXPECT_EQ(usable_memory_bytes(root.path()), 5'000'000U);
}

// In a container, the group's own folder is mounted.
TEST(UsableMemory, ReadsTheLimitOfAContainerAtTheRoot) {
  const TempFolder root;
  root.write("proc/self/cgroup", "0::/../../outer\n");
  root.write("sys/fs/cgroup/memory.max", "6000000\n");
  EXPECT_EQ(usable_memory_bytes(root.path()), 6'000'000U);
}

}  // namespace
}  // namespace bertprep::test
