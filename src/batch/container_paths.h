// What the engines whose tasks run in containers share: the paths that a container sees.
#pragma once

#include <filesystem>
#include <string>

#include "batch/job_chain.h"

namespace bertprep {

// ROOT and WORK lie in `mount`, where containers have the shared file system; inputs are absolute. `flag` is the option
// that says where it is mounted. Throws ConfigError.
void check_container_paths(const JobChain& chain, const std::string& mount, const std::string& flag);

// The tasks of `stage.only`, a line each: a file in the chain's folder for --array-list, for engines whose arrays have
// no gaps. Throws ConfigError when containers can't see that folder.
JobFile task_list_file(const JobChain& chain, const JobStage& stage, const std::string& mount);

// The command of a stage and, for an array, the number of its tasks: those of `stage.only` alone, if there are some. A
// list of them is added to `files`.
struct ContainerTask {
  std::vector<std::string> command;
  std::uint64_t tasks = 1;
};
ContainerTask container_task(const JobChain& chain, const JobStage& stage, const std::string& mount,
                             std::vector<JobFile>& files);

// Throws ConfigError when a needed option is not given.
void require_option(const std::string& engine, const std::string& value, const std::string& option,
                    const std::string& hint);

}  // namespace bertprep
