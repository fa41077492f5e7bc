// Job files: the stages of a run as jobs of a batch engine, each of which waits for the one before.
//
//   JobChain ─→ slurm_jobs() and the like ─→ files for people to read, and the commands that submit them
//
// Nothing here starts a program or writes a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batch/submit_options.h"

namespace bertprep {

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

// `max_tasks`: the largest array that the cluster accepts; 0: unknown. Throws ConfigError naming the option.
JobSet slurm_jobs(const JobChain& chain, std::uint64_t max_tasks);
// Throws ConfigError for a missing or impossible option, and for requests beyond the limits of AWS Batch.
JobSet aws_batch_jobs(const JobChain& chain);

// Throws ConfigError for a missing or impossible option.
JobSet kubernetes_jobs(const JobChain& chain);

// MaxArraySize in the output of `scontrol show config`; 0 if absent.
std::uint64_t slurm_most_tasks(std::string_view config);

// The options of `run` that keep a task within its processors and its memory: -j, --memory.
std::vector<std::string> share_of_machine(const SubmitOptions& options);

// What the job files of all engines share.

// A name for jobs: `before`, the dataset and the stage; letters, digits, '-' and '_', at most 110 of them.
std::string job_name(const JobChain& chain, std::string_view stage, const std::string& before = "bertprep-");

// The command of a task: the chain's with --stage and, for an array, --array-count.
std::vector<std::string> stage_command(const JobChain& chain, const JobStage& stage);

// A shell script that runs the steps in order: `format=$(sbatch ... "--dependency=afterok:$fetch")`.
std::string submit_script(std::span<const JobStep> steps, std::string_view head);

// What the engines whose tasks run in containers share: paths as containers see them.

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

// Throws ConfigError if a required option is missing.
void require_option(const std::string& engine, const std::string& value, const std::string& option,
                    const std::string& hint);

}  // namespace bertprep
