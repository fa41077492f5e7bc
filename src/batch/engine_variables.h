// What the variables of a batch engine say about this process: its task of an array, its attempt of a job.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace bertprep {

// Environment: looks up variables by name; nullptr if not set, as std::getenv.
using Environment = std::function<const char*(const char*)>;

// EngineIndex: the array task of this process, from the variables of a batch engine.
//
// | engine    | index                     | numbered | its array                                 |
// | AWS Batch | AWS_BATCH_JOB_ARRAY_INDEX | from 0   | ..._ARRAY_SIZE                            |
// | Slurm     | SLURM_ARRAY_TASK_ID       | as asked | ..._TASK_COUNT, _MIN, _MAX                |
// | SGE       | SGE_TASK_ID               | from 1   | SGE_TASK_FIRST, _LAST, _STEPSIZE          |
// | Kubernetes | JOB_COMPLETION_INDEX    | from 0   | not known                                 |
// | PBS       | PBS_ARRAY_INDEX           | as asked | not known                                 |
// | LSF       | LSB_JOBINDEX              | from 1   | LSB_JOBINDEX_END, LSB_JOBINDEX_STEP       |

// The position of a task among all tasks of its array, counted without gaps.
struct DensePlace {
  std::uint64_t task = 0;
  std::uint64_t count = 1;
};

struct EngineIndex {
  std::string engine;    // "AWS Batch", "Slurm", "SGE", "PBS", "LSF", "Kubernetes"
  std::string variable;  // that holds the index
  std::uint64_t value = 0;
  std::uint64_t first = 0;          // the lowest number that the engine gives to a task: 0 or 1
  std::optional<DensePlace> place;  // nothing: the engine does not say how many tasks there are
  std::string gap;                  // why there is no place, to follow "is set, but "
};

// Nothing outside of array jobs. Throws ConfigError for variables that are not numbers or contradict each other, and if
// those of two engines are set.
std::optional<EngineIndex> engine_index(const Environment& environment);

// JobAttempt: which attempt of which job of an engine this process is, for finding its log.
struct JobAttempt {
  std::string engine;         // "AWS Batch", "Slurm", "SGE", "PBS", "LSF", "Kubernetes"; empty outside of jobs
  std::string job;            // as the engine's own commands take it: "1234_5"
  std::string name;           // of the job, if the engine says
  std::uint64_t attempt = 0;  // from 1; 0: the engine does not say
};

JobAttempt engine_attempt(const Environment& environment);

}  // namespace bertprep
