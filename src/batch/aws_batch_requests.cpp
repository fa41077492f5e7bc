#include "batch/aws_batch_requests.h"

#include "batch/job_amounts.h"
#include "batch/job_files.h"
#include "bertprep/base/error.h"
#include "io/json.h"

namespace bertprep {
namespace {

Json strings(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push(Json::string(text));
  return list;
}

Json pair(const char* first, const std::string& of_first, const char* second, const std::string& of_second) {
  return Json::object().add(first, Json::string(of_first)).add(second, Json::string(of_second));
}

// An access point or a role is refused without encryption on the way; without them it costs next to nothing.
Json file_system(const SubmitOptions& options) {
  Json volume = Json::object();
  volume.add("fileSystemId", Json::string(options.efs));
  volume.add("rootDirectory", Json::string("/"));
  volume.add("transitEncryption", Json::string("ENABLED"));
  if (!options.access_point.empty() || !options.job_role.empty()) {
    Json access = Json::object();
    if (!options.access_point.empty()) access.add("accessPointId", Json::string(options.access_point));
    if (!options.job_role.empty()) access.add("iam", Json::string("ENABLED"));
    volume.add("authorizationConfig", std::move(access));
  }
  return Json::object().add("name", Json::string("efs")).add("efsVolumeConfiguration", std::move(volume));
}

Json log_configuration(const SubmitOptions& options, const std::string& name) {
  Json log = Json::object();
  log.add("logDriver", Json::string("awslogs"));
  if (options.log_group.empty()) return log;
  log.add("options", pair("awslogs-group", options.log_group, "awslogs-stream-prefix", name));
  return log;
}

Json container(const JobChain& chain) {
  const SubmitOptions& options = chain.options;
  Json resources = Json::array();
  resources.push(pair("type", "VCPU", "value", std::to_string(options.cpus)));
  resources.push(pair("type", "MEMORY", "value", std::to_string(task_memory_mib(options.task_memory))));
  Json json = Json::object();
  json.add("image", Json::string(options.image));
  json.add("command", strings({"bertprep", "--version"}));
  if (!options.job_role.empty()) json.add("jobRoleArn", Json::string(options.job_role));
  if (!options.execution_role.empty()) json.add("executionRoleArn", Json::string(options.execution_role));
  json.add("resourceRequirements", std::move(resources));
  json.add("environment", Json::array().push(pair("name", "HDF5_USE_FILE_LOCKING", "value", "FALSE")));
  json.add("volumes", Json::array().push(file_system(options)));
  Json mount = pair("sourceVolume", "efs", "containerPath", options.efs_mount);
  json.add("mountPoints", Json::array().push(mount.add("readOnly", Json::boolean(false))));
  json.add("logConfiguration", log_configuration(options, job_name(chain, "")));
  return json;
}

// The first rule that fits decides; without the last one, AWS Batch would try again whatever happened, data that can't
// be read among it. Running out of memory (137) is not tried again.
Json retry_strategy(std::int64_t attempts) {
  Json rules = Json::array();
  rules.push(pair("onStatusReason", "Host EC2*", "action", "RETRY"));
  rules.push(pair("onReason", "CannotPull*", "action", "RETRY"));
  rules.push(pair("onExitCode", "75", "action", "RETRY"));
  rules.push(pair("onExitCode", "143", "action", "RETRY"));
  rules.push(pair("onReason", "*", "action", "EXIT"));
  Json strategy = Json::object();
  strategy.add("attempts", Json::number(static_cast<std::uint64_t>(attempts)));
  return strategy.add("evaluateOnExit", std::move(rules));
}

}  // namespace

std::string definition_request(const JobChain& chain) {
  Json json = Json::object();
  json.add("jobDefinitionName", Json::string(job_name(chain, "")));
  json.add("type", Json::string("container"));
  json.add("platformCapabilities", strings({"EC2"}));
  json.add("containerProperties", container(chain));
  json.add("retryStrategy", retry_strategy(chain.options.attempts));
  json.add("timeout", Json::object().add("attemptDurationSeconds", Json::number(attempt_seconds(chain.options.time))));
  json.add("propagateTags", Json::boolean(true));
  return json.dump();
}

std::string submission_request(const JobChain& chain, const std::string& stage, const std::vector<std::string>& command,
                               std::uint64_t tasks) {
  constexpr std::size_t kMostBytes = std::size_t{28} << 10U;  // of 30 KiB; definition and dependency come on top
  Json json = Json::object();
  json.add("jobName", Json::string(job_name(chain, stage)));
  json.add("jobQueue", Json::string(chain.options.queue));
  json.add("jobDefinition", Json::string(job_name(chain, "")));
  if (tasks > 1) json.add("arrayProperties", Json::object().add("size", Json::number(tasks)));
  json.add("containerOverrides", Json::object().add("command", strings(command)));
  std::string text = json.dump();
  if (text.size() <= kMostBytes) return text;
  throw ConfigError("the command is too long for AWS Batch, which takes 30 KiB", {},
                    "give --input a folder instead of its files");
}

}  // namespace bertprep
