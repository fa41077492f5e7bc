// The AWS Batch requests that submit a chain, as JSON for `aws batch ... --cli-input-json`.
//
// Field names, limits and their meaning: https://docs.aws.amazon.com/batch/latest/APIReference.
#include "batch/job_chain.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// Access points and roles require encryption in transit; without them it costs little.
Json file_system(const SubmitOptions& options) {
  Json volume = json_texts({{"fileSystemId", options.efs}, {"rootDirectory", "/"}, {"transitEncryption", "ENABLED"}});
  if (!options.access_point.empty() || !options.job_role.empty()) {
    Json access = Json::object();
    if (!options.access_point.empty()) access.add("accessPointId", Json::string(options.access_point));
    if (!options.job_role.empty()) access.add("iam", Json::string("ENABLED"));
    volume.add("authorizationConfig", std::move(access));
  }
  return json_object({{"name", Json::string("efs")}, {"efsVolumeConfiguration", volume}});
}

Json log_configuration(const SubmitOptions& options, const std::string& name) {
  Json log = json_texts({{"logDriver", "awslogs"}});
  if (options.log_group.empty()) return log;
  return log.add("options", json_texts({{"awslogs-group", options.log_group}, {"awslogs-stream-prefix", name}}));
}

Json container_properties(const JobChain& chain) {
  const SubmitOptions& options = chain.options;
  const std::string memory = std::to_string(task_memory_mib(options.task_memory));
  Json json = Json::object();
  json.add("image", Json::string(options.image)).add("command", json_list({"bertprep", "--version"}));
  if (!options.job_role.empty()) json.add("jobRoleArn", Json::string(options.job_role));
  if (!options.execution_role.empty()) json.add("executionRoleArn", Json::string(options.execution_role));
  json.add("resourceRequirements", json_list({json_texts({{"type", "VCPU"}, {"value", std::to_string(options.cpus)}}),
                                              json_texts({{"type", "MEMORY"}, {"value", memory}})}));
  json.add("environment", json_list({json_texts({{"name", "HDF5_USE_FILE_LOCKING"}, {"value", "FALSE"}})}));
  json.add("volumes", json_list({file_system(options)}));
  Json mount = json_texts({{"sourceVolume", "efs"}, {"containerPath", options.efs_mount}});
  json.add("mountPoints", json_list({mount.add("readOnly", Json::boolean(false))}));
  return json.add("logConfiguration", log_configuration(options, job_name(chain, "")));
}

// The first matching rule decides; without the last one, AWS Batch would retry every failure, even unreadable data.
// Running out of memory (137) is not retried.
Json retry_strategy(std::int64_t attempts) {
  const Json rules = json_list({json_texts({{"onStatusReason", "Host EC2*"}, {"action", "RETRY"}}),
                                json_texts({{"onReason", "CannotPull*"}, {"action", "RETRY"}}),
                                json_texts({{"onExitCode", "75"}, {"action", "RETRY"}}),
                                json_texts({{"onExitCode", "143"}, {"action", "RETRY"}}),
                                json_texts({{"onReason", "*"}, {"action", "EXIT"}})});
  return json_object({{"attempts", Json::number(static_cast<std::uint64_t>(attempts))}, {"evaluateOnExit", rules}});
}

// RegisterJobDefinition: container, file system, retries, time-out, log.
std::string definition_request(const JobChain& chain) {
  const Json seconds = Json::number(attempt_seconds(chain.options.time));
  return json_object({{"jobDefinitionName", Json::string(job_name(chain, ""))},
                      {"type", Json::string("container")},
                      {"platformCapabilities", json_list(std::vector<std::string>{"EC2"})},
                      {"containerProperties", container_properties(chain)},
                      {"retryStrategy", retry_strategy(chain.options.attempts)},
                      {"timeout", json_object({{"attemptDurationSeconds", seconds}})},
                      {"propagateTags", Json::boolean(true)}})
      .dump();
}

// SubmitJob for a stage; definition and dependency come as arguments of the command. A single task is a plain job, as
// arrays need two or more. Throws ConfigError if the request is longer than AWS Batch accepts.
std::string submission_request(const JobChain& chain, const std::string& stage, const ContainerTask& task) {
  constexpr std::size_t kMaxBytes = std::size_t{28} << 10U;  // of 30 KiB; definition and dependency are added later
  Json json = json_texts(
      {{"jobName", job_name(chain, stage)}, {"jobQueue", chain.options.queue}, {"jobDefinition", job_name(chain, "")}});
  if (task.tasks > 1) json.add("arrayProperties", json_object({{"size", Json::number(task.tasks)}}));
  json.add("containerOverrides", json_object({{"command", json_list(task.command)}}));
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
