#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "batch/embedded.h"
#include "batch/job_chain.h"
#include "batch/submit_options.h"
#include "bertprep/base/error.h"
#include "io/json.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

// The manifest of a stage as a Job of Kubernetes, in JSON, which kubectl accepts like YAML.
//
// Field names, limits and their meaning: https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/job-v1.
constexpr const char* kContainer = "bertprep";
constexpr const char* kVolume = "shared";

Json number(std::uint64_t value) {
  return Json::number(value);
}

// A DNS label. A pod's name is that of its job, five characters and its index: at most 63 characters.
std::string dns_name(const std::string& text) {
  constexpr std::size_t kMaxBytes = 28;
  std::string name;
  for (const char c : text.substr(0, kMaxBytes)) {
    name += is_ascii_alphanumeric(c) ? ascii_lower(c) : '-';
  }
  return name;
}

// Kubernetes would replace $(NAME) by a variable.
std::string literal(const std::string& argument) {
  std::string text;
  for (std::size_t i = 0; i < argument.size(); ++i) {
    if (argument.compare(i, 2, "$(") == 0) text += '$';
    text += argument[i];
  }
  return text;
}

// The first matching rule decides. Retries a program that gave up for a while (75) or was terminated (143), and one
// whose node was lost, which does not count as an attempt. Other failures come from the data, the options or lack of
// memory (137), and would repeat.
Json failure_policy(bool is_indexed) {
  Json lost = Json::object();
  lost.add("action", Json::string("Ignore"));
  lost.add("onPodConditions",
           Json::array().push(
               Json::object().add("type", Json::string("DisruptionTarget")).add("status", Json::string("True"))));
  Json values = Json::array();
  values.push(number(75)).push(number(143));
  Json codes = Json::object();
  codes.add("containerName", Json::string(kContainer));
  codes.add("operator", Json::string("NotIn"));
  codes.add("values", std::move(values));
  Json final = Json::object();
  final.add("action", Json::string(is_indexed ? "FailIndex" : "FailJob"));
  final.add("onExitCodes", std::move(codes));
  return Json::object().add("rules", Json::array().push(std::move(lost)).push(std::move(final)));
}

Json environment() {
  Json locking = Json::object();
  locking.add("name", Json::string("HDF5_USE_FILE_LOCKING")).add("value", Json::string("FALSE"));
  Json field = Json::object().add("fieldPath", Json::string("metadata.name"));
  Json pod = Json::object();
  pod.add("name", Json::string("BERTPREP_POD"));
  pod.add("valueFrom", Json::object().add("fieldRef", std::move(field)));
  return Json::array().push(std::move(locking)).push(std::move(pod));
}

// A container is killed beyond its memory, but may use more than its processors if they are idle.
Json resources(const SubmitOptions& options) {
  const Json memory = Json::string(std::to_string(task_memory_mib(options.task_memory)) + "Mi");
  Json requests = Json::object();
  requests.add("cpu", Json::string(std::to_string(options.cpus))).add("memory", Json(memory));
  return Json::object().add("requests", std::move(requests)).add("limits", Json::object().add("memory", Json(memory)));
}

Json container(const SubmitOptions& options, const std::vector<std::string>& command) {
  Json arguments = Json::array();
  for (const std::string& argument : command) arguments.push(Json::string(literal(argument)));
  Json mount = Json::object();
  mount.add("name", Json::string(kVolume)).add("mountPath", Json::string(options.claim_mount));
  Json json = Json::object();
  json.add("name", Json::string(kContainer));
  json.add("image", Json::string(options.image));
  json.add("args", std::move(arguments));
  json.add("env", environment());
  json.add("resources", resources(options));
  json.add("volumeMounts", Json::array().push(std::move(mount)));
  return json;
}

Json pod(const SubmitOptions& options, const std::vector<std::string>& command) {
  Json volume = Json::object();
  volume.add("name", Json::string(kVolume));
  volume.add("persistentVolumeClaim", Json::object().add("claimName", Json::string(options.claim)));
  Json json = Json::object();
  json.add("restartPolicy", Json::string("Never"));
  json.add("activeDeadlineSeconds", number(attempt_seconds(options.time)));
  json.add("containers", Json::array().push(container(options, command)));
  json.add("volumes", Json::array().push(std::move(volume)));
  return json;
}

Json metadata(const JobChain& chain, const JobStage& stage) {
  Json labels = Json::object();
  labels.add("app.kubernetes.io/name", Json::string("bertprep"));
  labels.add("app.kubernetes.io/component", Json::string(stage.name));
  Json json = Json::object();
  json.add("generateName", Json::string("bertprep-" + dns_name(chain.dataset) + "-" + stage.name + "-"));
  if (!chain.options.kube_namespace.empty()) json.add("namespace", Json::string(chain.options.kube_namespace));
  return json.add("labels", std::move(labels));
}

// Several tasks make an Indexed Job, whose pods read their index from JOB_COMPLETION_INDEX; one task makes a plain Job.
// The API server adds five characters to the name, so that the stage can be submitted again.
std::string job_manifest(const JobChain& chain, const JobStage& stage, const ContainerTask& task) {
  const SubmitOptions& options = chain.options;
  const bool is_indexed = task.tasks > 1;
  const auto retries = static_cast<std::uint64_t>(options.attempts) - 1;
  const auto max_at_once = static_cast<std::uint64_t>(options.parallelism);
  Json spec = Json::object();
  spec.add("completionMode", Json::string(is_indexed ? "Indexed" : "NonIndexed"));
  spec.add("completions", number(task.tasks));
  spec.add("parallelism", number(max_at_once == 0 ? task.tasks : std::min(max_at_once, task.tasks)));
  spec.add(is_indexed ? "backoffLimitPerIndex" : "backoffLimit", number(retries));
  spec.add("podFailurePolicy", failure_policy(is_indexed));
  spec.add("template", Json::object().add("spec", pod(options, task.command)));
  Json json = Json::object();
  json.add("apiVersion", Json::string("batch/v1"));
  json.add("kind", Json::string("Job"));
  json.add("metadata", metadata(chain, stage));
  return json.add("spec", std::move(spec)).dump();
}

constexpr std::int64_t kMaxIndices = 100'000;
constexpr const char* kAwait = "await.sh";

constexpr const char* kSubmitHead =
    "#!/bin/sh\n# Creates the jobs in this folder, each when the one before it has ended: it runs as long as they do.\n"
    "set -eu\n";

void check_kubernetes(const SubmitOptions& options) {
  require_option("kubernetes", options.image, "`image`",
                 "build one with scripts/batch/Dockerfile and push it to a registry that the nodes reach");
  require_option("kubernetes", options.claim, "`claim`",
                 "give the name of the PersistentVolumeClaim (ReadWriteMany) that holds ROOT and WORK");
  if (options.tasks > kMaxIndices) {
    throw ConfigError(
        "`tasks` is " + std::to_string(options.tasks) + ", but Kubernetes takes Indexed Jobs of at most 100000", {},
        "give `tasks` 100000 or fewer: one task processes as many pieces or shards as needed");
  }
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
