#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "bertprep/base/error.h"
#include "bertprep/trainer/process_group.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;

class NoMpi : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "SLURM_NTASKS"}) unsetenv(name);
  }
};

TEST_F(NoMpi, AProcessWithoutALauncherIsAlone) {
  EXPECT_EQ(join_process_group()->size(), 1U);
}

TEST_F(NoMpi, ALaunchedProcessIsAloneToo) {
  setenv("OMPI_COMM_WORLD_SIZE", "1", 1);
  EXPECT_EQ(join_process_group()->size(), 1U);
  setenv("PMI_RANK", "0", 1);
  setenv("SLURM_NTASKS", "1", 1);
  EXPECT_EQ(join_process_group()->size(), 1U);
}

void expect_refusal() {
  try {
    join_process_group();
    FAIL() << "several processes continued, each on its own";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("built without MPI"));
    EXPECT_THAT(error.what(), HasSubstr("libopenmpi-dev"));
  }
}

TEST_F(NoMpi, SeveralProcessesOfMpirunAreRefused) {
  setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
  expect_refusal();
}

TEST_F(NoMpi, SeveralProcessesOfSrunAreRefused) {
  setenv("PMI_RANK", "1", 1);
  setenv("SLURM_NTASKS", "2", 1);
  expect_refusal();
}

}  // namespace
}  // namespace bertprep::test
