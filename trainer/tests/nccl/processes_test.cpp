// Several processes, found by MPI, that exchange values by trainer/distributed/nccl.cpp over the stand-in for NCCL.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_program.h"

namespace bertprep::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

Finished bench(int processes, const std::string& last_bytes) {
  std::vector<std::string> command = mpirun(MPIRUN, processes);
  command.insert(command.end(), {BENCH_PROGRAM, "allreduce-bench", "--device", "cuda", "-b", "4", "-e", last_bytes,
                                 "-f", "16", "-n", "3", "-w", "1"});
  return run_program(command);
}

TEST(NcclProcesses, EachHasAGpuAndTheRightSums) {
  for (const int processes : {2, 3}) {
    const Finished finished = bench(processes, "256K");
    EXPECT_EQ(finished.exit_status, 0) << finished.err;
    EXPECT_THAT(finished.out, AllOf(HasSubstr("# processes " + std::to_string(processes)),
                                    ContainsRegex("Rank  0 Pid +[0-9]+ on .* device  0 \\[0000:1a:00.0\\]"),
                                    ContainsRegex("Rank  1 Pid +[0-9]+ on .* device  1 \\[0000:1b:00.0\\]")));
    EXPECT_THAT(finished.out,
                AllOf(ContainsRegex("\n +16384 +4096 +float +sum +-1 "), HasSubstr("# Out of bounds values : 0 OK")));
  }
}

TEST(NcclProcesses, MoreThanGpusAreRefused) {
  const Finished finished = bench(9, "4");
  EXPECT_NE(finished.exit_status, 0);
  EXPECT_THAT(finished.err, HasSubstr("9 processes were started on a machine with 8 GPUs"));
}

}  // namespace
}  // namespace bertprep::test
