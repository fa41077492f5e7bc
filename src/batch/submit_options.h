// SubmitOptions: how a batch engine runs the tasks of an array job. They do not change a byte of the result.
// Functions below parse memory and time.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/fields.h"

namespace bertprep {

struct SubmitOptions {
  std::int64_t tasks = 64;          // of each stage that is an array
  std::int64_t cpus = 4;            // of a task
  std::string task_memory = "16G";  // of a task: M, G or T
  std::string time = "8h";          // limit of an attempt: 90m, 8h, 2d, or [D-]HH:MM:SS
  std::string jobs;                 // folder of the job files; empty: WORK/jobs/DATASET/ENGINE

  std::string partition;  // Slurm's, as sbatch takes them; empty: the default
  std::string account;
  std::string qos;
  std::string sbatch;   // further options of sbatch, separated by blanks
  std::string program;  // path of bertprep on the nodes; empty: that of this process

  std::string queue;                          // AWS Batch's job queue
  std::string image;                          // of the container, with bertprep in its PATH; Kubernetes', too
  std::string efs;                            // id of the file system with ROOT and WORK
  std::string access_point;                   // to it; empty: its root folder
  std::string efs_mount = "/mnt/efs";         // where the container has it
  std::string job_role;                       // of the container; with it, IAM controls access to the file system
  std::string execution_role;                 // that starts the container
  std::string log_group;                      // of CloudWatch; empty: /aws/batch/job
  std::int64_t attempts = 5;                  // per task, of AWS Batch and Kubernetes
  std::string claim;                          // Kubernetes' PersistentVolumeClaim with ROOT and WORK
  std::string claim_mount = "/mnt/bertprep";  // where containers have it
  std::string kube_namespace;                 // empty: kubectl's
  std::int64_t parallelism = 0;               // most tasks at once; 0: all
  std::string region;                         // of the aws program; empty: what its configuration says
  std::string profile;
  std::string aws_endpoint;  // URL in place of AWS's own

  static constexpr OptionGroup kGroup = OptionGroup::kArrayJobs;
  static std::span<const Field<SubmitOptions>> fields();
};

// Throws ConfigError for a value out of its range, and for a text with a control character: a line end would begin a
// new line in a job file.
void check_submit_options(const SubmitOptions& options);

// Throws ConfigError naming the option, as attempt_seconds does.
// "16G", "15000M", "1.5T" -> MiB, rounded down: engines accept whole ones. At least 256.
std::uint64_t task_memory_mib(const std::string& text);

// "90m", "8h", "2d", "30s", "HH:MM:SS", "D-HH:MM:SS" -> seconds, at least a minute, the minimum of the engines.
std::uint64_t attempt_seconds(const std::string& text);

// "1-02:00:00", as Slurm writes it.
std::string slurm_time(std::uint64_t seconds);

}  // namespace bertprep
