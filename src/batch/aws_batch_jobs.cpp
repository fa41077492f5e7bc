// The AWS Batch requests that submit a chain, as JSON for `aws batch ... --cli-input-json`.
//
// Field names, limits and their meaning: https://docs.aws.amazon.com/batch/latest/APIReference.
#include "batch/job_chain.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// Access points and roles require encryption in transit; without them it costs little.
Json file_system(const SubmitOptions& options) {
  Json volume = Json::object({{"fileSystemId", options.efs}, {"rootDirectory", "/"}, {"transitEncryption", "ENABLED"}});
  if (!options.access_point.empty() || !options.job_role.empty()) {
    Json access = Json::object();
    if (!options.access_point.empty()) access.add("accessPointId", options.access_point);
    if (!options.job_role.empty()) access.add("iam", "ENABLED");
    volume.add("authorizationConfig", std::move(access));
  }
  return Json::object({{"name", "efs"}, {"efsVolumeConfiguration", volume}});
}

Json log_configuration(const SubmitOptions& options, const std::string& name) {
  Json log = Json::object({{"logDriver", "awslogs"}});
  if (options.log_group.empty()) return log;
  return log.add("options", Json::object({{"awslogs-group", options.log_group}, {"awslogs-stream-prefix", name}}));
}

Json container_properties(const JobChain& chain) {
  const SubmitOptions& options = chain.options;
  const std::string memory = std::to_string(task_memory_mib(options.task_memory));
  Json json = Json::object();
  json.add("image", options.image).add("command", Json::array({"bertprep", "--version"}));
  if (!options.job_role.empty()) json.add("jobRoleArn", options.job_role);
  if (!options.execution_role.empty()) json.add("executionRoleArn", options.execution_role);
  json.add("resourceRequirements",
           Json::array({Json::object({{"type", "VCPU"}, {"value", std::to_string(options.cpus)}}),
                        Json::object({{"type", "MEMORY"}, {"value", memory}})}));
  json.add("environment", Json::array({Json::object({{"name", "HDF5_USE_FILE_LOCKING"}, {"value", "FALSE"}})}));
  json.add("volumes", Json::array({file_system(options)}));
  Json mount = Json::object({{"sourceVolume", "efs"}, {"containerPath", options.efs_mount}});
  json.add("mountPoints", Json::array({mount.add("readOnly", false)}));
  return json.add("logConfiguration", log_configuration(options, job_name(chain, "")));
}

// The first matching rule decides; without the last one, AWS Batch would retry every failure, even unreadable data.
// Running out of memory (137) is not retried.
Json retry_strategy(std::int64_t attempts) {
  const Json rules = Json::array({Json::object({{"onStatusReason", "Host EC2*"}, {"action", "RETRY"}}),
                                  Json::object({{"onReason", "CannotPull*"}, {"action", "RETRY"}}),
                                  Json::object({{"onExitCode", "75"}, {"action", "RETRY"}}),
                                  Json::object({{"onExitCode", "143"}, {"action", "RETRY"}}),
                                  Json::object({{"onReason", "*"}, {"action", "EXIT"}})});
  return Json::object({{"attempts", static_cast<std::uint64_t>(attempts)}, {"evaluateOnExit", rules}});
}

// RegisterJobDefinition: container, file system, retries, time-out, log.
std::string definition_request(const JobChain& chain) {
  const Json seconds = attempt_seconds(chain.options.time);
  return Json::object({{"jobDefinitionName", job_name(chain, "")},
                       {"type", "container"},
                       {"platformCapabilities", Json::array({"EC2"})},
                       {"containerProperties", container_properties(chain)},
                       {"retryStrategy", retry_strategy(chain.options.attempts)},
                       {"timeout", Json::object({{"attemptDurationSeconds", seconds}})},
                       {"propagateTags", true}})
      .dump();
}

// SubmitJob for a stage; definition and dependency come as arguments of the command. A single task is a plain job, as
// arrays need two or more. Throws ConfigError if the request is longer than AWS Batch accepts.
std::string submission_request(const JobChain& chain, const std::string& stage, const ContainerTask& task) {
  constexpr std::size_t kMaxBytes = std::size_t{28} << 10U;  // of 30 KiB; definition and dependency are added later
  Json json = Json::object(
      {{"jobName", job_name(chain, stage)}, {"jobQueue", chain.options.queue}, {"jobDefinition", job_name(chain, "")}});
  if (task.tasks > 1) json.add("arrayProperties", Json::object({{"size", task.tasks}}));
  json.add("containerOverrides", Json::object({{"command", Json::array_of(task.command)}}));
  std::string text = json.dump();
  if (text.size() <= kMaxBytes) return text;
  throw ConfigError("the command is too long for AWS Batch, which takes 30 KiB", {},
                    "give `input` a folder instead of its files");
}

void check_options(const SubmitOptions& options) {
  require_option("aws-batch", options.queue, "`queue`",
                 "give the name of a job queue, as 'aws batch describe-job-queues' shows it");
  require_option("aws-batch", options.image, "`image`", "build one with scripts/batch/Dockerfile and push it to ECR");
  require_option("aws-batch", options.efs, "`efs`", "give the id of the file system (fs-...) that holds ROOT and WORK");
  require_at_most(10'000, options, "AWS Batch takes arrays");
}

// The aws command with its common arguments, for a call that prints only `wanted`.
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
  jobs.files.push_back({name, submission_request(chain, stage.name, task)});
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
  check_container_paths(chain, chain.options.efs_mount, "`efs_mount`");
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
