#include "batch/aws_batch_requests.h"
#include "batch/container_paths.h"
#include "batch/job_chain.h"
#include "batch/job_files.h"
#include "bertprep/base/error.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostTasks = 10'000;

void check_options(const SubmitOptions& options) {
  require_option("aws-batch", options.queue, "--queue",
                 "give the name of a job queue, as 'aws batch describe-job-queues' shows it");
  require_option("aws-batch", options.image, "--image", "build one with scripts/batch/Dockerfile and push it to ECR");
  require_option("aws-batch", options.efs, "--efs", "give the id of the file system (fs-...) that holds ROOT and WORK");
  if (options.tasks > kMostTasks) {
    throw ConfigError("--tasks is " + std::to_string(options.tasks) + ", but AWS Batch takes arrays of at most 10000",
                      {}, "give --tasks 10000 or fewer: one task processes as many pieces or shards as needed");
  }
}

// The aws program with what all its calls share, and a call that prints nothing but `wanted`.
std::vector<std::string> aws_command(const SubmitOptions& options, const std::string& call, const fs::path& request,
                                     const std::string& wanted) {
  std::vector<std::string> command{"aws", "batch", call};
  if (!options.region.empty()) command.insert(command.end(), {"--region", options.region});
  if (!options.profile.empty()) command.insert(command.end(), {"--profile", options.profile});
  if (!options.aws_endpoint.empty()) command.insert(command.end(), {"--endpoint-url", options.aws_endpoint});
  command.insert(command.end(),
                 {"--cli-input-json", "file://" + request.string(), "--query", wanted, "--output", "text"});
  return command;
}

void add_stage(const JobChain& chain, const JobStage& stage, JobSet& jobs) {
  const ContainerTask task = container_task(chain, stage, chain.options.efs_mount, jobs.files);
  const std::string name = stage.name + ".json";
  jobs.files.push_back({name, submission_request(chain, stage.name, task.command, task.tasks)});
  JobStep step{stage.name, aws_command(chain.options, "submit-job", chain.folder / name, "jobId"), {}};
  const std::string before = jobs.steps.back().name;
  step.references.push_back({"--job-definition=", "definition"});
  if (before != "definition") step.references.push_back({"--depends-on=jobId=", before});
  jobs.steps.push_back(std::move(step));
}

}  // namespace

JobSet aws_batch_jobs(const JobChain& chain) {
  check_submit_options(chain.options);
  check_options(chain.options);
  check_container_paths(chain, chain.options.efs_mount, "--efs-mount");
  JobSet jobs;
  jobs.files.push_back({"definition.json", definition_request(chain)});
  jobs.steps.push_back(
      {"definition",
       aws_command(chain.options, "register-job-definition", chain.folder / "definition.json", "jobDefinitionArn"),
       {}});
  for (const JobStage& stage : chain.stages) add_stage(chain, stage, jobs);
  jobs.files.push_back(
      {"submit.sh", submit_script(jobs.steps,
                                  "#!/bin/sh\n# Registers the definition in this folder and submits the jobs.\n"
                                  "set -eu\n")});
  return jobs;
}

}  // namespace bertprep
