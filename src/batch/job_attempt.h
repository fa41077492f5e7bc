// JobAttempt: which attempt of which job of an engine this process is, for people who look for its log.
#pragma once

#include <cstdint>
#include <string>

#include "batch/environment.h"

namespace bertprep {

struct JobAttempt {
  std::string engine;         // "AWS Batch", "Slurm", "SGE", "PBS", "LSF", "Kubernetes"; empty outside of jobs
  std::string job;            // as the engine's own commands take it: "1234_5"
  std::string name;           // of the job, where the engine tells
  std::uint64_t attempt = 0;  // from 1; 0: the engine does not say
};

JobAttempt engine_attempt(const Environment& environment);

}  // namespace bertprep
