// What the job files of all engines share.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batch/job_chain.h"

namespace bertprep {

// A name for jobs: letters, digits, '-' and '_', at most 100 of them.
std::string job_name(const JobChain& chain, std::string_view stage);

// The command of a task: the chain's with --stage and, for an array, --array-count.
std::vector<std::string> stage_command(const JobChain& chain, const JobStage& stage);

// A shell script that does the steps one after the other: `format=$(sbatch ... "--dependency=afterok:$fetch")`.
std::string submit_script(std::span<const JobStep> steps, std::string_view head);

}  // namespace bertprep
