#include "batch/array_position.h"

#include <gtest/gtest.h>

#include "unit/batch/variables.h"

namespace bertprep {
namespace {

using test::environment_of;
using test::Variables;

void expect_attempt(const Variables& variables, const JobAttempt& expected) {
  const JobAttempt attempt = engine_attempt(environment_of(variables));
  EXPECT_EQ(attempt.engine, expected.engine);
  EXPECT_EQ(attempt.job, expected.job);
  EXPECT_EQ(attempt.name, expected.name);
  EXPECT_EQ(attempt.attempt, expected.attempt);
}

TEST(JobAttempt, IsNamedAsTheEnginesCommandsNameIt) {
  expect_attempt({}, {});
  expect_attempt({{"AWS_BATCH_JOB_ID", "ab-cd:3"}, {"AWS_BATCH_JOB_ATTEMPT", "2"}}, {"AWS Batch", "ab-cd:3", "", 2});
  expect_attempt({{"SLURM_JOB_ID", "17"}, {"SLURM_JOB_NAME", "fetch"}}, {"Slurm", "17", "fetch", 1});
  expect_attempt({{"SLURM_JOB_ID", "20"},
                  {"SLURM_ARRAY_JOB_ID", "17"},
                  {"SLURM_ARRAY_TASK_ID", "3"},
                  {"SLURM_RESTART_COUNT", "2"}},
                 {"Slurm", "17_3", "", 3});
  expect_attempt({{"SGE_TASK_ID", "undefined"}, {"JOB_ID", "5"}, {"JOB_NAME", "n"}}, {"SGE", "5", "n", 1});
  expect_attempt({{"SGE_TASK_ID", "4"}, {"JOB_ID", "5"}, {"RESTARTED", "1"}}, {"SGE", "5.4", "", 2});
  expect_attempt({{"PBS_JOBID", "12[4].head"}, {"PBS_JOBNAME", "n"}}, {"PBS", "12[4].head", "n", 0});
  expect_attempt({{"LSB_JOBID", "9"}, {"LSB_JOBINDEX", "2"}, {"LSB_JOBNAME", "n[1-4]"}}, {"LSF", "9[2]", "n[1-4]", 0});
  expect_attempt({{"JOB_COMPLETION_INDEX", "3"}, {"HOSTNAME", "bertprep-format-abcde-3"}},
                 {"Kubernetes", "bertprep-format-abcde-3", "", 0});
  expect_attempt({{"BERTPREP_POD", "bertprep-place-abcde-xyz12"}, {"HOSTNAME", "h"}},
                 {"Kubernetes", "bertprep-place-abcde-xyz12", "", 0});
}

TEST(JobAttempt, IsNotStoppedByOddNumbers) {
  expect_attempt({{"AWS_BATCH_JOB_ID", "a"}, {"AWS_BATCH_JOB_ATTEMPT", "?"}}, {"AWS Batch", "a", "", 0});
}

}  // namespace
}  // namespace bertprep
