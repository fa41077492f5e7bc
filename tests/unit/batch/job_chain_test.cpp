#include "batch/job_chain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "base/fields.h"
#include "bertprep/base/error.h"
#include "support/golden_data.h"
#include "support/thrown.h"

namespace bertprep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// The chains that scripts/batch shows.
JobChain example(const std::string& program, const std::string& root) {
  JobChain chain;
  chain.dataset = "wikicorpus_en";
  chain.options.cpus = 8;
  chain.command = {program, "run", "wikicorpus_en", "-o", root + "/hdf5_dataset", "-w", root + "/bertprep-work"};
  chain.stages = {{"fetch", false}, {"format", true},    {"place", false},
                  {"shard", true},  {"instances", true}, {"finish", false}};
  chain.directory = root;
  chain.written = {root + "/hdf5_dataset", root + "/bertprep-work"};
  return chain;
}

JobChain with_share(JobChain chain) {
  for (const std::string& argument : share_of_machine(chain.options)) chain.command.push_back(argument);
  return chain;
}

JobChain slurm_example() {
  JobChain chain = example("/shared/bin/bertprep", "/shared");
  chain.options.partition = "compute";
  chain.folder = "/shared/bertprep-work/jobs/wikicorpus_en/slurm";
  return with_share(chain);
}

JobChain aws_example() {
  JobChain chain = example("bertprep", "/mnt/efs");
  chain.options.task_memory = "15000M";
  chain.options.queue = "bertprep-spot";
  chain.options.efs = "fs-12345678";
  chain.options.access_point = "fsap-1234567890abcdef0";
  chain.options.job_role = "arn:aws:iam::111122223333:role/bertprep-job";
  chain.options.log_group = "/bertprep";
  chain.options.image = "111122223333.dkr.ecr.us-east-1.amazonaws.com/bertprep:1";
  chain.folder = "/mnt/efs/bertprep-work/jobs/wikicorpus_en/aws-batch";
  return with_share(chain);
}

JobChain kubernetes_example() {
  JobChain chain = example("bertprep", "/mnt/bertprep");
  chain.options.task_memory = "15000M";
  chain.options.claim = "bertprep";
  chain.options.image = "registry.example.org/bertprep:1";
  chain.folder = "/mnt/bertprep/bertprep-work/jobs/wikicorpus_en/kubernetes";
  return with_share(chain);
}

std::string text_of(const JobSet& jobs, const std::string& name) {
  for (const JobFile& file : jobs.files) {
    if (file.name == name) return file.text;
  }
  ADD_FAILURE() << "no file " << name;
  return {};
}

void expect_files(const JobSet& jobs, const std::string& folder) {
  for (const JobFile& file : jobs.files) {
    const auto path = test::source_folder() / "scripts" / "batch" / folder / file.name;
    EXPECT_EQ(file.text, test::read_bytes(path)) << path;
  }
}

void expect_refused(const std::function<void()>& call, const std::vector<std::string>& words) {
  try {
    call();
    ADD_FAILURE() << words.front();
  } catch (const ConfigError& error) {
    for (const std::string& word : words) EXPECT_THAT(error.what(), HasSubstr(word));
  }
}

void expect_aws_refused(const std::function<void(JobChain&)>& change, const std::vector<std::string>& words) {
  JobChain chain = aws_example();
  change(chain);
  expect_refused([&] { aws_batch_jobs(chain); }, words);
}

TEST(SlurmJobs, AreTheFilesInScripts) {
  const JobSet jobs = slurm_jobs(slurm_example(), 0);
  EXPECT_EQ(jobs.files.size(), 7U);
  expect_files(jobs, "slurm");
}

TEST(AwsBatchJobs, AreTheFilesInScripts) {
  const JobSet jobs = aws_batch_jobs(aws_example());
  EXPECT_EQ(jobs.files.size(), 8U);
  expect_files(jobs, "aws");
}

TEST(KubernetesJobs, AreTheFilesInScripts) {
  const JobSet jobs = kubernetes_jobs(kubernetes_example());
  EXPECT_EQ(jobs.files.size(), 8U);
  expect_files(jobs, "kubernetes");
}

TEST(KubernetesJobs, AreCreatedOneAfterTheOther) {
  const JobSet jobs = kubernetes_jobs(kubernetes_example());
  ASSERT_EQ(jobs.steps.size(), 12U);
  EXPECT_THAT(jobs.steps[2].command, ElementsAre("kubectl", "create", "-o", "name", "-f"));
  EXPECT_EQ(jobs.steps[2].name, "format");
  EXPECT_EQ(jobs.steps[3].awaited, "format");
  EXPECT_EQ(jobs.steps[3].references[0].step, "format");
}

TEST(KubernetesJobs, RunSomeTasksAgain) {
  JobChain chain = kubernetes_example();
  chain.stages = {{"shard", true, {3, 17}}, {"instances", true, {5}}};
  chain.options.parallelism = 40;
  const JobSet jobs = kubernetes_jobs(chain);
  EXPECT_EQ(jobs.files[1].text, "3\n17\n");
  EXPECT_THAT(text_of(jobs, "shard.json"), HasSubstr("\"completions\": 2,\n    \"parallelism\": 2,"));
  EXPECT_THAT(text_of(jobs, "shard.json"), HasSubstr((chain.folder / jobs.files[1].name).string()));
  EXPECT_THAT(text_of(jobs, "instances.json"), HasSubstr("\"NonIndexed\""));
  EXPECT_THAT(text_of(jobs, "instances.json"), HasSubstr("\"--array-task\",\n              \"5\""));
}

// A pod's name is JOB-XXXXX-INDEX, with at most 63 characters; $(NAME) in arguments would be a variable.
TEST(KubernetesJobs, TakeAnyNameAndArgument) {
  JobChain chain = kubernetes_example();
  chain.dataset = "Wikicorpus_EN." + std::string(100, 'x');
  chain.command.push_back("$(HOME) $$ $x");
  chain.options.parallelism = 7;
  chain.options.kube_namespace = "data";
  const JobSet jobs = kubernetes_jobs(chain);
  const std::string text = text_of(jobs, "instances.json");
  EXPECT_THAT(text, HasSubstr("\"generateName\": \"bertprep-wikicorpus-en-xxxxxxxxxxxxxx-instances-\""));
  EXPECT_THAT(text, HasSubstr("\"namespace\": \"data\""));
  EXPECT_THAT(text, HasSubstr("\"$$(HOME) $$ $x\""));
  EXPECT_THAT(text, HasSubstr("\"completions\": 64,\n    \"parallelism\": 7,"));
  EXPECT_THAT(jobs.steps[1].command, testing::Contains("--namespace"));
}

TEST(KubernetesJobs, RequireTheirOptions) {
  const auto refused = [](const std::function<void(JobChain&)>& change, const std::vector<std::string>& words) {
    JobChain chain = kubernetes_example();
    change(chain);
    expect_refused([&] { kubernetes_jobs(chain); }, words);
  };
  refused([](JobChain& chain) { chain.options.image.clear(); }, {"kubernetes needs `image`", "Dockerfile"});
  refused([](JobChain& chain) { chain.options.claim.clear(); }, {"kubernetes needs `claim`", "PersistentVolumeClaim"});
  refused([](JobChain& chain) { chain.options.tasks = 100'001; }, {"`tasks` is 100001", "at most 100000"});
  refused([](JobChain& chain) { chain.written[0] = "/mnt/other"; },
          {"/mnt/other is not in /mnt/bertprep", "`claim_mount`"});
  refused([](JobChain& chain) { chain.options.claim_mount = "mnt"; }, {"`claim_mount` 'mnt' is not an absolute path"});
}

TEST(SlurmJobs, WaitForTheStageBefore) {
  const JobSet jobs = slurm_jobs(slurm_example(), 0);
  EXPECT_THAT(jobs.steps[0].command, ElementsAre("sbatch", "--parsable"));
  EXPECT_TRUE(jobs.steps[0].references.empty());
  EXPECT_THAT(jobs.steps[1].command, ElementsAre("sbatch", "--parsable", "--kill-on-invalid-dep=yes"));
  ASSERT_EQ(jobs.steps[1].references.size(), 1U);
  EXPECT_EQ(jobs.steps[1].references[0].before, "--dependency=afterok:");
  EXPECT_EQ(jobs.steps[1].references[0].step, "fetch");
}

TEST(SlurmJobs, RunSomeTasksAgain) {
  JobChain chain = slurm_example();
  chain.stages = {{"shard", true, {3, 17, 18, 19}}, {"instances", true}};
  const JobSet jobs = slurm_jobs(chain, 0);
  EXPECT_THAT(jobs.steps[0].command, ElementsAre("sbatch", "--parsable", "--array=3,17-19"));
  EXPECT_THAT(text_of(jobs, "shard.sbatch"), HasSubstr("--array-count 64)")) << "the whole array's";
}

TEST(SlurmJobs, TakeAnyArgument) {
  JobChain chain = slurm_example();
  chain.command.insert(chain.command.end(), {"--input", "a b", "it's", "$HOME", "*", "", "ü"});
  EXPECT_THAT(text_of(slurm_jobs(chain, 0), "fetch.sbatch"),
              HasSubstr("--input 'a b' 'it'\\''s' '$HOME' '*' '' 'ü'\n"));
  chain.folder = "/a folder/100%";
  EXPECT_THAT(text_of(slurm_jobs(chain, 0), "format.sbatch"),
              HasSubstr("#SBATCH --output=\"/a folder/100%%/logs/format.%A_%a.log\"\n"));
  chain.options.sbatch = " --nice  --constraint=amd ";
  EXPECT_THAT(text_of(slurm_jobs(chain, 0), "format.sbatch"),
              HasSubstr("#SBATCH --nice\n#SBATCH --constraint=amd\n\n"));
}

TEST(SlurmJobs, RefuseInvalidNames) {
  JobChain chain = slurm_example();
  chain.options.tasks = 1001;
  EXPECT_NO_THROW(slurm_jobs(chain, 1001));
  expect_refused([&] { slurm_jobs(chain, 1000); }, {"`tasks` is 1001", "at most 1000", "MaxArraySize"});
  chain.directory = "/a \"folder\"";
  expect_refused([&] { slurm_jobs(chain, 0); }, {"can't be written into a Slurm job file"});
  chain.directory = "/two\nlines";
  expect_refused([&] { slurm_jobs(chain, 0); }, {"line break"});
}

TEST(SlurmJobs, KnowTheLargestArrayOfACluster) {
  EXPECT_EQ(slurm_most_tasks("LogTimeFormat = iso\nMaxArraySize            = 1001\nMaxDBDMsgs = 20\n"), 1001U);
  EXPECT_EQ(slurm_most_tasks("slurm_load_ctl_conf error: Unable to contact slurm controller\n"), 0U);
}

TEST(AwsBatchJobs, OfOneTaskAreNoArrays) {
  JobChain chain = aws_example();
  chain.options.tasks = 1;
  EXPECT_THAT(text_of(aws_batch_jobs(chain), "format.json"), Not(HasSubstr("arrayProperties")));
}

TEST(AwsBatchJobs, RunSomeTasksAgain) {
  JobChain chain = aws_example();
  chain.stages = {{"shard", true, {3, 17}}, {"instances", true, {5}}};
  const JobSet jobs = aws_batch_jobs(chain);
  ASSERT_EQ(jobs.files[1].text, "3\n17\n");
  EXPECT_THAT(jobs.files[1].name, testing::MatchesRegex("shard-[0-9a-f]{12}[.]list"));
  EXPECT_THAT(text_of(jobs, "shard.json"), HasSubstr("\"size\": 2"));
  EXPECT_THAT(text_of(jobs, "shard.json"), HasSubstr((chain.folder / jobs.files[1].name).string()));
  EXPECT_THAT(text_of(jobs, "instances.json"), Not(HasSubstr("arrayProperties")));
  EXPECT_THAT(text_of(jobs, "instances.json"), HasSubstr("\"--array-task\",\n      \"5\""));
  chain.folder = "/elsewhere";
  expect_refused([&] { aws_batch_jobs(chain); }, {"/elsewhere is not in /mnt/efs", "`jobs`", "`from` shard"});
}

TEST(AwsBatchJobs, RequireTheirOptions) {
  expect_aws_refused([](JobChain& chain) { chain.options.queue.clear(); }, {"needs `queue`"});
  expect_aws_refused([](JobChain& chain) { chain.options.image.clear(); }, {"needs `image`", "Dockerfile"});
  expect_aws_refused([](JobChain& chain) { chain.options.efs.clear(); }, {"needs `efs`", "fs-"});
  expect_aws_refused([](JobChain& chain) { chain.options.tasks = 10001; }, {"`tasks` is 10001", "at most 10000"});
  expect_aws_refused([](JobChain& chain) { chain.options.attempts = 11; }, {"`attempts` is 11", "between 1 and 10"});
  expect_aws_refused([](JobChain& chain) { chain.written[0] = "/mnt/other"; }, {"/mnt/other is not in /mnt/efs"});
  expect_aws_refused([](JobChain& chain) { chain.written[0] = "/mnt/efs/../x"; }, {"is not in /mnt/efs"});
  expect_aws_refused([](JobChain& chain) { chain.written[0] = "root"; }, {"root is not in /mnt/efs"});
  expect_aws_refused([](JobChain& chain) { chain.read = {"a.txt"}; }, {"`input` a.txt is not an absolute path"});
  expect_aws_refused([](JobChain& chain) { chain.command.resize(3000, "/a/file.txt"); }, {"too long", "a folder"});
}

TEST(JobChain, ReadsAmounts) {
  const auto refused = [](const std::function<void(SubmitOptions&)>& change, const std::string& word) {
    JobChain chain = slurm_example();
    change(chain.options);
    expect_refused([&] { slurm_jobs(chain, 0); }, {word});
  };
  for (const char* memory : {"16", "1.5X", "50%", "", "100M"}) {
    refused([&](SubmitOptions& options) { options.task_memory = memory; }, "`task_memory`");
  }
  for (const char* time : {"8", "", "1:00", "30s", "8 h"}) {
    refused([&](SubmitOptions& options) { options.time = time; }, "`time`");
  }
  JobChain chain = slurm_example();
  for (const auto& [time, expected] : std::vector<std::pair<std::string, std::string>>{
           {"90m", "0-01:30:00"}, {"2d", "2-00:00:00"}, {"1-12:00:01", "1-12:00:01"}, {"00:01:00", "0-00:01:00"}}) {
    chain.options.time = time;
    EXPECT_THAT(text_of(slurm_jobs(chain, 0), "place.sbatch"), HasSubstr("--time=" + expected + "\n"));
  }
  EXPECT_THAT(share_of_machine(chain.options), ElementsAre("-j", "8", "--memory", "14746M"));
}

// A line break would begin a new line of the job file: an option of sbatch or a command.
TEST(JobFiles, NoTextOfAnOptionCanBeMoreThanALine) {
  for (const auto& field : SubmitOptions::fields()) {
    const auto* member = std::get_if<std::string SubmitOptions::*>(&field.member);
    if (member == nullptr) continue;
    for (const std::string end : {"\n", "\r", "\t", "\x7F"}) {
      JobChain slurm = slurm_example();
      JobChain aws = aws_example();
      JobChain kubernetes = kubernetes_example();
      for (JobChain* chain : {&slurm, &aws, &kubernetes}) chain->options.** member += end + "#SBATCH --nodelist=other";
      const std::string fault = quoted_field(field.name) + " contains";
      EXPECT_THAT(test::thrown_by<ConfigError>([&] { slurm_jobs(slurm, 0); }), HasSubstr(fault));
      EXPECT_THAT(test::thrown_by<ConfigError>([&] { aws_batch_jobs(aws); }), HasSubstr(fault));
      EXPECT_THAT(test::thrown_by<ConfigError>([&] { kubernetes_jobs(kubernetes); }), HasSubstr(fault));
    }
  }
}

}  // namespace
}  // namespace bertprep
