// The requests of AWS Batch that submit a chain, as JSON for `aws batch ... --cli-input-json`.
//
// Field names, limits and their meaning: https://docs.aws.amazon.com/batch/latest/APIReference.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "batch/job_chain.h"

namespace bertprep {

// RegisterJobDefinition: container, file system, retries, time-out, log.
std::string definition_request(const JobChain& chain);

// SubmitJob for a stage; definition and dependency come as arguments of the command. One task is a plain job, as arrays
// have two or more. Throws ConfigError when the request is longer than AWS Batch takes.
std::string submission_request(const JobChain& chain, const std::string& stage, const std::vector<std::string>& command,
                               std::uint64_t tasks);

}  // namespace bertprep
