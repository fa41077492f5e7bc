// The manifest of a stage as a Job of Kubernetes, in JSON, which kubectl accepts like YAML.
//
// Field names, limits and their meaning: https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/job-v1.
#include <algorithm>

#include "batch/embedded.h"
#include "batch/job_chain.h"
#include "unicode/ascii.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr const char* kContainer = "bertprep";
constexpr const char* kVolume = "shared";

// A DNS label. A pod's name is that of its job, five characters and its index: at most 63 characters.
std::string dns_name(const std::string& text) {
  constexpr std::size_t kMaxBytes = 28;
  std::string name = ascii_lower(text.substr(0, kMaxBytes));
  std::ranges::replace_if(
      name, [](char c) { return !is_ascii_alphanumeric(c); }, '-');
  return name;
}

// The first matching rule decides. Retries a program that gave up for a while (75) or was terminated (143), and one
// whose node was lost, which does not count as an attempt. Other failures come from the data, the options or lack of
// memory (137), and would repeat.
Json failure_policy(bool is_indexed) {
  const Json lost = Json::array({Json::object({{"type", "DisruptionTarget"}, {"status", "True"}})});
  const Json codes =
      Json::object({{"containerName", kContainer}, {"operator", "NotIn"}, {"values", Json::array({75U, 143U})}});
  const Json last = is_indexed ? "FailIndex" : "FailJob";
  return Json::object({{"rules", Json::array({Json::object({{"action", "Ignore"}, {"onPodConditions", lost}}),
                                              Json::object({{"action", last}, {"onExitCodes", codes}})})}});
}

Json environment() {
  const Json field = Json::object({{"fieldRef", Json::object({{"fieldPath", "metadata.name"}})}});
  return Json::array({Json::object({{"name", "HDF5_USE_FILE_LOCKING"}, {"value", "FALSE"}}),
                      Json::object({{"name", "BERTPREP_POD"}, {"valueFrom", field}})});
}

// A container is killed beyond its memory, but may use more than its processors if they are idle.
Json resources(const SubmitOptions& options) {
  const std::string memory = std::to_string(task_memory_mib(options.task_memory)) + "Mi";
  return Json::object({{"requests", Json::object({{"cpu", std::to_string(options.cpus)}, {"memory", memory}})},
                       {"limits", Json::object({{"memory", memory}})}});
}

Json container(const SubmitOptions& options, std::vector<std::string> command) {
  // Kubernetes would replace $(NAME) by a variable.
  for (std::string& argument : command) replace_all(argument, "$(", "$$(");
  return Json::object(
      {{"name", kContainer},
       {"image", options.image},
       {"args", Json::array_of(command)},
       {"env", environment()},
       {"resources", resources(options)},
       {"volumeMounts", Json::array({Json::object({{"name", kVolume}, {"mountPath", options.claim_mount}})})}});
}

Json pod(const SubmitOptions& options, const std::vector<std::string>& command) {
  const Json claim = Json::object({{"claimName", options.claim}});
  return Json::object(
      {{"restartPolicy", "Never"},
       {"activeDeadlineSeconds", attempt_seconds(options.time)},
       {"containers", Json::array({container(options, command)})},
       {"volumes", Json::array({Json::object({{"name", kVolume}, {"persistentVolumeClaim", claim}})})}});
}

// The API server adds five characters to the name, so that the stage can be submitted again.
Json metadata(const JobChain& chain, const JobStage& stage) {
  Json json = Json::object({{"generateName", "bertprep-" + dns_name(chain.dataset) + "-" + stage.name + "-"}});
  if (!chain.options.kube_namespace.empty()) json.add("namespace", chain.options.kube_namespace);
  return json.add("labels",
                  Json::object({{"app.kubernetes.io/name", "bertprep"}, {"app.kubernetes.io/component", stage.name}}));
}

// Several tasks make an Indexed Job, whose pods read their index from JOB_COMPLETION_INDEX; one task makes a plain Job.
std::string job_manifest(const JobChain& chain, const JobStage& stage, const ContainerTask& task) {
  const SubmitOptions& options = chain.options;
  const bool is_indexed = task.tasks > 1;
  const auto retries = static_cast<std::uint64_t>(options.attempts) - 1;
  const auto max_at_once = static_cast<std::uint64_t>(options.parallelism);
  const std::uint64_t at_once = max_at_once == 0 ? task.tasks : std::min(max_at_once, task.tasks);
  const Json spec = Json::object({{"completionMode", is_indexed ? "Indexed" : "NonIndexed"},
                                  {"completions", task.tasks},
                                  {"parallelism", at_once},
                                  {is_indexed ? "backoffLimitPerIndex" : "backoffLimit", retries},
                                  {"podFailurePolicy", failure_policy(is_indexed)},
                                  {"template", Json::object({{"spec", pod(options, task.command)}})}});
  return Json::object(
             {{"apiVersion", "batch/v1"}, {"kind", "Job"}, {"metadata", metadata(chain, stage)}, {"spec", spec}})
      .dump();
}

constexpr const char* kAwait = "await.sh";

constexpr const char* kSubmitHead =
    "#!/bin/sh\n# Creates the jobs in this folder, each when the one before it has ended: it runs as long as they do.\n"
    "set -eu\n";

void check_kubernetes(const SubmitOptions& options) {
  require_option("kubernetes", options.image, "`image`",
                 "build one with scripts/batch/Dockerfile and push it to a registry that the nodes reach");
  require_option("kubernetes", options.claim, "`claim`",
                 "give the name of the PersistentVolumeClaim (ReadWriteMany) that holds ROOT and WORK");
  require_at_most(100'000, options, "Kubernetes takes Indexed Jobs");
}

std::vector<std::string> in_namespace(std::vector<std::string> command, const SubmitOptions& options) {
  if (!options.kube_namespace.empty()) command.insert(command.end(), {"--namespace", options.kube_namespace});
  return command;
}

void add_kubernetes_stage(const JobChain& chain, const JobStage& stage, JobSet& jobs) {
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
  check_kubernetes(chain.options);
  check_container_paths(chain, chain.options.claim_mount, "`claim_mount`");
  JobSet jobs;
  // Kubernetes has no dependencies between jobs. A server that does not answer for some minutes doesn't end the wait.
  jobs.files.push_back({kAwait, std::string(embedded::kKubernetesAwait)});
  for (const JobStage& stage : chain.stages) add_kubernetes_stage(chain, stage, jobs);
  jobs.files.push_back({"submit.sh", submit_script(jobs.steps, kSubmitHead)});
  return jobs;
}

}  // namespace bertprep
