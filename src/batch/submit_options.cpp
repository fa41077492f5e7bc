#include "batch/submit_options.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <regex>

#include "base/fields.h"
#include "base/number_text.h"
#include "bertprep/base/error.h"

namespace bertprep {
namespace {

using Options = SubmitOptions;

Field<Options> text(std::string_view name, std::string Options::*member, std::string_view unit, std::string_view help) {
  return {.name = name, .member = member, .unit = unit, .help = help, .in_recipe = false};
}

Field<Options> number_field(std::string_view name, std::int64_t Options::*member, std::string_view unit,
                            std::string_view help, double max) {
  return {.name = name, .member = member, .unit = unit, .help = help, .min = 1, .max = max, .in_recipe = false};
}

constexpr std::uint64_t kMinuteSeconds = 60;
constexpr std::uint64_t kHourSeconds = 60 * kMinuteSeconds;
constexpr std::uint64_t kDaySeconds = 24 * kHourSeconds;

std::uint64_t seconds_of_unit(char unit) {
  if (unit == 'd') return kDaySeconds;
  if (unit == 'h') return kHourSeconds;
  return unit == 'm' ? kMinuteSeconds : 1;
}

std::uint64_t number_of_match(const std::ssub_match& match) {
  return match.matched ? std::stoull(match.str()) : 0;
}

}  // namespace

std::span<const Field<SubmitOptions>> SubmitOptions::fields() {
  static const std::array<Field<Options>, 26> kFields{{
      number_field("tasks", &Options::tasks, "tasks", "number of tasks in each array stage", 4'000'000),
      number_field("cpus", &Options::cpus, "cpus", "processors for each task", 4096),
      text("task-memory", &Options::task_memory, "memory", "memory for each task, such as 8G or 15000M"),
      text("time", &Options::time, "time", "time limit for one attempt at a task: 90m, 8h, 2d or 1-12:00:00"),
      text("jobs", &Options::jobs, "folder", "folder for the job files (default WORK/jobs/DATASET/ENGINE)"),
      text("partition", &Options::partition, "name", "Slurm: partition to run in"),
      text("account", &Options::account, "name", "Slurm: account to charge"),
      text("qos", &Options::qos, "name", "Slurm: quality of service"),
      text("sbatch", &Options::sbatch, "options", "Slurm: more options for sbatch, such as '--constraint=amd --nice'"),
      text("program", &Options::program, "path",
           "Slurm: path of bertprep on the nodes (default: the path of this program)"),
      text("queue", &Options::queue, "name", "AWS: job queue"),
      text("image", &Options::image, "name",
           "AWS, Kubernetes: container image, such as ACCOUNT.dkr.ecr.REGION.amazonaws.com/bertprep:1"),
      text("efs", &Options::efs, "id", "AWS: fs-..., the file system that holds ROOT and WORK"),
      text("access-point", &Options::access_point, "id", "AWS: fsap-..., the access point of the file system"),
      text("efs-mount", &Options::efs_mount, "path", "AWS: where containers mount the file system"),
      text("job-role", &Options::job_role, "arn", "AWS: role of the container; with it, IAM guards the file system"),
      text("execution-role", &Options::execution_role, "arn", "AWS: role that starts the container"),
      text("log-group", &Options::log_group, "name", "AWS: CloudWatch log group (default AWS's own, /aws/batch/job)"),
      number_field("attempts", &Options::attempts, "attempts", "AWS, Kubernetes: number of attempts at each task", 10),
      text("claim", &Options::claim, "name", "Kubernetes: PersistentVolumeClaim that holds ROOT and WORK"),
      text("claim-mount", &Options::claim_mount, "path", "Kubernetes: where containers mount the claim"),
      text("namespace", &Options::kube_namespace, "name", "Kubernetes: namespace (default: kubectl's)"),
      {.name = "parallelism",
       .member = &Options::parallelism,
       .unit = "tasks",
       .help = "Kubernetes: maximum number of tasks that run at once; 0 for all",
       .min = 0,
       .max = 100'000,
       .in_recipe = false},
      text("region", &Options::region, "name", "AWS: region for the aws program (default: its own configuration)"),
      text("profile", &Options::profile, "name", "AWS: profile in the aws program's configuration"),
      text("aws-endpoint", &Options::aws_endpoint, "url", "AWS: address of a service to use in place of AWS's own"),
  }};
  return kFields;
}

void check_submit_options(const SubmitOptions& options) {
  validate(options);
  for (const Field<Options>& field : fields_of<Options>()) {
    const auto* member = std::get_if<std::string Options::*>(&field.member);
    if (member == nullptr) continue;
    const std::string& value = options.**member;
    const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7F; };
    if (std::ranges::none_of(value, is_control)) continue;
    throw ConfigError(quoted_field(field.name) + " contains a line break or another control character", {},
                      "give it as one line");
  }
}

std::uint64_t task_memory_mib(const std::string& text) {
  constexpr std::uint64_t kMinMib = 256;
  const std::uint64_t mib = size_in_bytes(text, "task-memory") >> 20U;
  if (mib < kMinMib) {
    throw ConfigError("`task_memory` is " + text + ", it must be at least 256M", {}, "write it like 16G or 15000M");
  }
  return mib;
}

std::uint64_t attempt_seconds(const std::string& text) {
  static const std::regex kAmount("([0-9]{1,6})([smhd])");
  static const std::regex kClock("(?:([0-9]{1,3})-)?([0-9]{1,3}):([0-9]{2}):([0-9]{2})");
  std::smatch match;
  std::uint64_t seconds = 0;
  if (std::regex_match(text, match, kAmount)) {
    seconds = std::stoull(match[1]) * seconds_of_unit(match[2].str()[0]);
  } else if (std::regex_match(text, match, kClock)) {
    seconds = number_of_match(match[1]) * kDaySeconds + number_of_match(match[2]) * kHourSeconds +
              number_of_match(match[3]) * kMinuteSeconds + number_of_match(match[4]);
  } else {
    throw ConfigError("`time` '" + text + "' is not a valid time", {}, "write it like 90m, 8h, 2d or 1-12:00:00");
  }
  if (seconds < kMinuteSeconds) throw ConfigError("`time` " + text + " is too short", {}, "give at least a minute");
  return seconds;
}

std::string slurm_time(std::uint64_t seconds) {
  std::array<char, 32> text{};
  const auto part = [](std::uint64_t value) { return static_cast<unsigned>(value); };
  std::snprintf(text.data(), text.size(), "%u-%02u:%02u:%02u", part(seconds / kDaySeconds),
                part(seconds % kDaySeconds / kHourSeconds), part(seconds % kHourSeconds / kMinuteSeconds),
                part(seconds % kMinuteSeconds));
  return text.data();
}

}  // namespace bertprep
