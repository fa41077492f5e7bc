#include <algorithm>

#include "batch/aws_batch_requests.h"
#include "batch/index_list.h"
#include "batch/job_chain.h"
#include "batch/job_files.h"
#include "bertprep/base/error.h"
#include "io/digest.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostTasks = 10'000;

bool lies_in(const fs::path& path, const fs::path& folder) {
  const fs::path below = path.lexically_normal().lexically_relative(folder.lexically_normal());
  return !below.empty() && *below.begin() != "..";
}

void require(const std::string& value, const std::string& option, const std::string& hint) {
  if (value.empty()) throw ConfigError("aws-batch needs " + option, {}, hint);
}

void check_options(const SubmitOptions& options) {
  require(options.queue, "--queue", "give the name of a job queue, as 'aws batch describe-job-queues' shows it");
  require(options.image, "--image", "build one with scripts/batch/Dockerfile and push it to ECR");
  require(options.efs, "--efs", "give the id of the file system (fs-...) that holds ROOT and WORK");
  if (options.tasks > kMostTasks) {
    throw ConfigError("--tasks is " + std::to_string(options.tasks) + ", but AWS Batch takes arrays of at most 10000",
                      {}, "give --tasks 10000 or fewer: one task processes as many pieces or shards as needed");
  }
  if (!fs::path(options.efs_mount).is_absolute()) {
    throw ConfigError("--efs-mount '" + options.efs_mount + "' is not an absolute path");
  }
}

void check_paths(const JobChain& chain) {
  const std::string& mount = chain.options.efs_mount;
  for (const fs::path& path : chain.written) {
    if (path.is_absolute() && lies_in(path, mount)) continue;
    throw ConfigError(path.string() + " is not in " + mount + ", where containers mount the file system", {},
                      "give --output and --work as paths in it, or another --efs-mount");
  }
  for (const fs::path& path : chain.read) {
    if (!path.is_absolute()) {
      throw ConfigError("--input " + path.string() + " is not an absolute path", {},
                        "give the path as containers see it: " + mount);
    }
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

// AWS Batch has no arrays with gaps: the tasks are in a file, which the tasks must see.
JobFile list_file(const JobChain& chain, const JobStage& stage) {
  if (!lies_in(chain.folder, chain.options.efs_mount)) {
    throw ConfigError(chain.folder.string() + " is not in " + chain.options.efs_mount +
                          ", but the list of tasks to run again must be",
                      {}, "give --jobs there, or run all tasks of the stage with --from " + stage.name);
  }
  const std::string text = index_list_text(stage.only, "aws-batch");
  return {stage.name + "-" + sha256_of(text).substr(0, 12) + ".list", text};
}

void add_stage(const JobChain& chain, const JobStage& stage, JobSet& jobs) {
  std::vector<std::string> command = stage_command(chain, stage);
  std::uint64_t tasks = stage.is_array ? static_cast<std::uint64_t>(chain.options.tasks) : 1;
  if (stage.only.size() == 1) {
    command.insert(command.end(), {"--array-task", std::to_string(stage.only.front())});
    tasks = 1;
  } else if (!stage.only.empty()) {
    const JobFile& list = jobs.files.emplace_back(list_file(chain, stage));
    command.insert(command.end(), {"--array-list", (chain.folder / list.name).string()});
    tasks = stage.only.size();
  }
  const std::string name = stage.name + ".json";
  jobs.files.push_back({name, submission_request(chain, stage.name, command, tasks)});
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
  check_paths(chain);
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
