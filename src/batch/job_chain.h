// Job files: the stages of a run as jobs of a batch engine, each of which waits for the one before.
//
//   JobChain ─→ slurm_jobs() and the like ─→ files for people to read, and the commands that submit them
//
// Nothing here starts a program or writes a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fields.h"
#include "io/json.h"

namespace bertprep {

// SubmitOptions: how a batch engine runs the tasks of an array job. They do not change a byte of the result.
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

  static FieldList<SubmitOptions> fields();
};

struct JobStage {
  std::string name;                      // "format": what `run --stage` takes
  bool is_array = false;                 // false: one task
  std::vector<std::uint64_t> only{};     // of an array: the tasks to run, from 0; empty: all
  std::vector<std::string> arguments{};  // of this stage alone
};

struct JobChain {
  std::string dataset;                         // in the names of jobs
  std::vector<std::string> command;            // "bertprep", "run", options ...; the stage and the array are added
  std::vector<JobStage> stages;                // in order; each waits for the previous one
  std::filesystem::path folder;                // of the job files, absolute; need not exist
  std::filesystem::path directory;             // working folder of the jobs, absolute (Slurm)
  std::vector<std::filesystem::path> written;  // ROOT and WORK, shared by the tasks
  std::vector<std::filesystem::path> read;     // --input
  SubmitOptions options;
};

struct JobFile {
  std::string name;  // in the chain's folder
  std::string text;
};

// A command that prints an id, that later commands use.
struct JobStep {
  struct Reference {
    std::string before;  // "--dependency=afterok:"
    std::string step;    // whose id follows
  };
  std::string name;                   // "definition", or of the stage
  std::vector<std::string> command;   // program and arguments
  std::vector<Reference> references;  // further arguments
  std::string file{};                 // the last argument; empty: none
  // The stage whose end the command awaits, for engines without dependencies; empty: it submits something.
  std::string awaited{};
};

struct JobSet {
  std::vector<JobFile> files;
  std::vector<JobStep> steps;
};

// `max_tasks`: the largest array that the cluster accepts; 0: unknown. They throw ConfigError, which names the option,
// for a missing or impossible one, and for requests beyond the limits of the engine.
JobSet slurm_jobs(const JobChain& chain, std::uint64_t max_tasks);
JobSet aws_batch_jobs(const JobChain& chain);
JobSet kubernetes_jobs(const JobChain& chain);

// MaxArraySize in the output of `scontrol show config`; 0 if absent.
std::uint64_t slurm_most_tasks(std::string_view config);

// The options of `run` that keep a task within its processors and its memory: -j, --memory.
std::vector<std::string> share_of_machine(const SubmitOptions& options);

// What the job files of all engines share.

// Throws ConfigError for a value out of its range, and for a text with a control character: a line end would begin a
// new line in a job file.
void check_submit_options(const SubmitOptions& options);

// Throws ConfigError naming the option, as attempt_seconds does.
// "16G", "15000M", "1.5T" -> MiB, rounded down: engines accept whole ones. At least 256.
std::uint64_t task_memory_mib(const std::string& text);

// "90m", "8h", "2d", "30s", "HH:MM:SS", "D-HH:MM:SS" -> seconds, at least a minute, the minimum of the engines.
std::uint64_t attempt_seconds(const std::string& text);

// A name for jobs: `before`, the dataset and the stage; letters, digits, '-' and '_', at most 110 of them.
std::string job_name(const JobChain& chain, std::string_view stage, const std::string& before = "bertprep-");

// The command of a task: the chain's with --stage and, for an array, --array-count.
std::vector<std::string> stage_command(const JobChain& chain, const JobStage& stage);

// A shell script that runs the steps in order: `format=$(sbatch ... "--dependency=afterok:$fetch")`.
std::string submit_script(std::span<const JobStep> steps, std::string_view head);

// Throw ConfigError if a required option is missing, or an array larger than the engine accepts: `takes` "AWS Batch
// takes arrays"; `otherwise` ends the hint.
void require_option(const std::string& engine, const std::string& value, const std::string& option,
                    const std::string& hint);
void require_at_most(std::uint64_t most, const SubmitOptions& options, const std::string& takes,
                     const std::string& otherwise = ": one task processes as many pieces or shards as needed");

// What the engines share whose tasks run in containers, and whose interfaces take JSON.

// Throws ConfigError unless ROOT and WORK are in `mount`, where containers have the shared file system, and inputs are
// absolute. `flag` is the option that sets `mount`.
void check_container_paths(const JobChain& chain, const std::string& mount, const std::string& flag);

// The command of a stage and, for an array, the number of its tasks. If `stage.only` is not empty, only those, and
// their list is added to `files`.
struct ContainerTask {
  std::vector<std::string> command;
  std::uint64_t tasks = 1;
};
ContainerTask container_task(const JobChain& chain, const JobStage& stage, const std::string& mount,
                             std::vector<JobFile>& files);

}  // namespace bertprep
