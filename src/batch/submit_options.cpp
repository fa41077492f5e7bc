#include "batch/submit_options.h"

#include <algorithm>
#include <array>

#include "base/fields.h"
#include "bertprep/base/error.h"

namespace bertprep {
namespace {

using Options = SubmitOptions;

Field<Options> text(std::string_view name, std::string Options::*member, std::string_view unit, std::string_view help) {
  return {.name = name, .member = member, .unit = unit, .help = help, .in_recipe = false};
}

Field<Options> number(std::string_view name, std::int64_t Options::*member, std::string_view unit,
                      std::string_view help, double max) {
  return {.name = name, .member = member, .unit = unit, .help = help, .min = 1, .max = max, .in_recipe = false};
}

}  // namespace

std::span<const Field<SubmitOptions>> SubmitOptions::fields() {
  static const std::array<Field<Options>, 26> kFields{{
      number("tasks", &Options::tasks, "tasks", "number of tasks in each array stage", 4'000'000),
      number("cpus", &Options::cpus, "cpus", "processors for each task", 4096),
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
      number("attempts", &Options::attempts, "attempts", "AWS, Kubernetes: number of attempts at each task", 10),
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
  for (const Field<Options>& field : Options::fields()) {
    const auto* member = std::get_if<std::string Options::*>(&field.member);
    if (member == nullptr) continue;
    const std::string& value = options.**member;
    const auto is_control = [](char c) { return (c >= 0 && c < 0x20) || c == 0x7F; };
    if (std::ranges::none_of(value, is_control)) continue;
    throw ConfigError("--" + std::string(field.name) + " contains a line break or another control character", {},
                      "give it as one line");
  }
}

}  // namespace bertprep
