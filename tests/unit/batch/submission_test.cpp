#include "batch/submission.h"

#include <gmock/gmock.h>

#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "support/temp_folder.h"

namespace bertprep::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Submission slurm_jobs_101_and_102() {
  Submission submission;
  submission.engine = "slurm";
  submission.time_seconds = 17;
  submission.tasks = 3;
  submission.work = "/w";
  submission.stages = {"shard", "finish"};
  submission.jobs = {"101", "102"};
  return submission;
}

TEST(SubmissionTest, StaysAsWritten) {
  const TempFolder folder;
  slurm_jobs_101_and_102().write(folder / "root", "name");
  const auto found = Submission::find(folder / "root/.name.bertprep");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->to_json().dump(), slurm_jobs_101_and_102().to_json().dump());
  EXPECT_FALSE(Submission::find(folder / "root/.other.bertprep"));
  for (const char* bytes : {"", "{", "[]", R"({"format": "other"})", R"({"format": "bertprep-submission"})"}) {
    folder.write("root/.name.bertprep/submitted.json", bytes);
    EXPECT_FALSE(Submission::find(folder / "root/.name.bertprep")) << bytes;
  }
}

TEST(SubmissionTest, SlurmTellsWhichJobsAreLeft) {
  const Submission jobs = slurm_jobs_101_and_102();
  EXPECT_THAT(queue_command(jobs), ElementsAre("squeue", "--noheader", "--format=%T %r", "--jobs=101,102"));
  EXPECT_EQ(queue_state(jobs, 0, "PENDING Dependency\nPENDING Priority\n", ""), QueueState::kWaiting);
  EXPECT_EQ(queue_state(jobs, 0, "PENDING Dependency\nRUNNING None\n", ""), QueueState::kRunning);
  EXPECT_EQ(queue_state(jobs, 0, "COMPLETING None\n", ""), QueueState::kRunning);
  EXPECT_EQ(queue_state(jobs, 0, "PENDING DependencyNeverSatisfied\n", ""), QueueState::kGone);
  EXPECT_EQ(queue_state(jobs, 0, "", ""), QueueState::kGone);
  EXPECT_EQ(queue_state(jobs, 1, "", "slurm_load_jobs error: Invalid job id specified\n"), QueueState::kGone);
  EXPECT_EQ(queue_state(jobs, 1, "", "slurm_load_jobs error: Unable to contact slurm controller\n"), std::nullopt);
  EXPECT_EQ(cancel_command(jobs), "scancel 101 102");
}

TEST(SubmissionTest, AwsBatchTellsWhichJobsAreLeft) {
  Submission jobs = slurm_jobs_101_and_102();
  jobs.engine = "aws-batch";
  jobs.region = "eu-1";
  jobs.endpoint = "http://127.0.0.1:1";
  EXPECT_THAT(queue_command(jobs),
              ElementsAre("aws", "batch", "describe-jobs", "--output", "text", "--query", "jobs[].status", "--region",
                          "eu-1", "--endpoint-url", "http://127.0.0.1:1", "--jobs", "101", "102"));
  EXPECT_EQ(queue_state(jobs, 0, "PENDING\tRUNNABLE\n", ""), QueueState::kWaiting);
  EXPECT_EQ(queue_state(jobs, 0, "SUCCEEDED\tRUNNING\tPENDING\n", ""), QueueState::kRunning);
  EXPECT_EQ(queue_state(jobs, 0, "SUCCEEDED\tFAILED\tFAILED\n", ""), QueueState::kGone);
  EXPECT_EQ(queue_state(jobs, 254, "", "could not connect"), std::nullopt);
}

TEST(SubmissionTest, KubernetesTellsWhetherPodsAreLeft) {
  Submission jobs = slurm_jobs_101_and_102();
  jobs.engine = "kubernetes";
  jobs.kube_namespace = "nlp";
  jobs.jobs = {"job.batch/b-format-x7", "job.batch/b-place-q2"};
  EXPECT_THAT(queue_command(jobs),
              ElementsAre("kubectl", "get", "--ignore-not-found", "-o", "jsonpath={..status.active}", "--namespace",
                          "nlp", "job.batch/b-format-x7", "job.batch/b-place-q2"));
  EXPECT_EQ(queue_state(jobs, 0, "3 1", ""), QueueState::kRunning);
  EXPECT_EQ(queue_state(jobs, 0, "0", ""), QueueState::kGone);
  EXPECT_EQ(queue_state(jobs, 0, "", ""), QueueState::kGone);
  EXPECT_EQ(queue_state(jobs, 1, "", "connection refused"), std::nullopt);
  EXPECT_EQ(cancel_command(jobs), "kubectl delete job.batch/b-format-x7 job.batch/b-place-q2");
}

TEST(SubmissionTest, NothingBecomesAnOptionOfTheEngine) {
  for (const char* id : {"", "-1", "--endpoint-url=x", "1 2", "1;x", "$(x)"}) {
    Submission jobs = slurm_jobs_101_and_102();
    jobs.jobs.back() = id;
    EXPECT_THAT(queue_command(jobs), IsEmpty()) << id;
  }
  Submission kubernetes = slurm_jobs_101_and_102();
  kubernetes.engine = "kubernetes";
  kubernetes.kube_namespace = "--all-namespaces";
  EXPECT_THAT(queue_command(kubernetes), IsEmpty());
}

}  // namespace
}  // namespace bertprep::test
