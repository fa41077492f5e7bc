// EngineIndex: what the variables of a batch engine say about the task that this process is.
//
// | engine    | index                     | numbered | its array                                 |
// | AWS Batch | AWS_BATCH_JOB_ARRAY_INDEX | from 0   | ..._ARRAY_SIZE                            |
// | Slurm     | SLURM_ARRAY_TASK_ID       | as asked | ..._TASK_COUNT, _MIN, _MAX                |
// | SGE       | SGE_TASK_ID               | from 1   | SGE_TASK_FIRST, _LAST, _STEPSIZE          |
// | Kubernetes | JOB_COMPLETION_INDEX    | from 0   | not known                                 |
// | PBS       | PBS_ARRAY_INDEX           | as asked | not known                                 |
// | LSF       | LSB_JOBINDEX              | from 1   | LSB_JOBINDEX_END, LSB_JOBINDEX_STEP       |
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "batch/environment.h"

namespace bertprep {

// The place of a task among all tasks of its array, counted without gaps.
struct DensePlace {
  std::uint64_t task = 0;
  std::uint64_t count = 1;
};

struct EngineIndex {
  std::string engine;    // "AWS Batch", "Slurm", "SGE", "PBS", "LSF", "Kubernetes"
  std::string variable;  // that holds the index
  std::uint64_t value = 0;
  std::uint64_t first = 0;          // the least number that the engine gives to a task: 0, or 1
  std::optional<DensePlace> place;  // nothing: the engine does not say how many tasks there are
  std::string gap;                  // then: why not, to go on with "is set, but "
};

// Nothing outside of array jobs. Throws ConfigError for variables that are no numbers or contradict each other, and
// when the variables of two engines are there.
std::optional<EngineIndex> engine_index(const Environment& environment);

}  // namespace bertprep
