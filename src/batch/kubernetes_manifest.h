// The manifest of a stage as a Job of Kubernetes, in JSON, which kubectl takes as well as YAML.
//
// Field names, limits and their meaning: https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/job-v1.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "batch/container_paths.h"
#include "batch/job_chain.h"

namespace bertprep {

// Several tasks are an Indexed Job, whose pods find their index in JOB_COMPLETION_INDEX; one is a plain Job. The API
// server adds five characters to the name, so that the stage can be submitted again.
std::string job_manifest(const JobChain& chain, const JobStage& stage, const ContainerTask& task);

}  // namespace bertprep
