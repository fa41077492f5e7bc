#include <utility>

#include "batch/container_paths.h"
#include "batch/job_chain.h"
#include "batch/job_files.h"
#include "batch/job_scripts.h"
#include "batch/kubernetes_manifest.h"
#include "bertprep/base/error.h"

namespace bertprep {
namespace {

constexpr std::int64_t kMostTasks = 100'000;
constexpr const char* kAwait = "await.sh";

constexpr const char* kSubmitHead =
    "#!/bin/sh\n# Creates the jobs in this folder, each when the one before it has ended: it runs as long as they do.\n"
    "set -eu\n";

void check(const SubmitOptions& options) {
  require_option("kubernetes", options.image, "--image",
                 "build one with scripts/batch/Dockerfile and push it to a registry that the nodes reach");
  require_option("kubernetes", options.claim, "--claim",
                 "give the name of the PersistentVolumeClaim (ReadWriteMany) that holds ROOT and WORK");
  if (options.tasks > kMostTasks) {
    throw ConfigError(
        "--tasks is " + std::to_string(options.tasks) + ", but Kubernetes takes Indexed Jobs of at most 100000", {},
        "give --tasks 100000 or fewer: one task processes as many pieces or shards as needed");
  }
}

std::vector<std::string> in_namespace(std::vector<std::string> command, const SubmitOptions& options) {
  if (!options.kube_namespace.empty()) command.insert(command.end(), {"--namespace", options.kube_namespace});
  return command;
}

void add_stage(const JobChain& chain, const JobStage& stage, JobSet& jobs) {
  const ContainerTask task = container_task(chain, stage, chain.options.claim_mount, jobs.files);
  const std::string name = stage.name + ".json";
  jobs.files.push_back({name, job_manifest(chain, stage, task)});
  JobStep create{stage.name, in_namespace({"kubectl", "create", "-o", "name"}, chain.options), {}};
  create.command.push_back("-f");
  create.file = (chain.folder / name).string();
  jobs.steps.push_back(std::move(create));
  JobStep await{stage.name + "_end", in_namespace({"sh", (chain.folder / kAwait).string()}, chain.options), {}};
  await.references.push_back({"", stage.name});
  await.awaited = stage.name;
  jobs.steps.push_back(std::move(await));
}

}  // namespace

JobSet kubernetes_jobs(const JobChain& chain) {
  check_submit_options(chain.options);
  check(chain.options);
  check_container_paths(chain, chain.options.claim_mount, "--claim-mount");
  JobSet jobs;
  // Kubernetes knows no jobs that wait for others. A server that does not answer for some minutes is no end of a job.
  jobs.files.push_back({kAwait, kKubernetesAwait});
  for (const JobStage& stage : chain.stages) add_stage(chain, stage, jobs);
  jobs.files.push_back({"submit.sh", submit_script(jobs.steps, kSubmitHead)});
  return jobs;
}

}  // namespace bertprep
