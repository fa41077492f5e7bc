// ArrayPosition: which task of an array job this process is; JobAttempt: which attempt of which job.
//
// The task is that of --array-task and --array-count if given, else of the engine's variables. With --array-count
// alone, the engine's index is the task. Tasks are numbered from 0: if the engine counts from 1, its first task is
// task 0. With --array-list, the index picks a line of a file that names the task.
//
// | engine     | index                     | numbered | its array                           |
// | AWS Batch  | AWS_BATCH_JOB_ARRAY_INDEX | from 0   | ..._ARRAY_SIZE                      |
// | Slurm      | SLURM_ARRAY_TASK_ID       | as asked | ..._TASK_COUNT, _MIN, _MAX          |
// | SGE        | SGE_TASK_ID               | from 1   | SGE_TASK_FIRST, _LAST, _STEPSIZE    |
// | Kubernetes | JOB_COMPLETION_INDEX      | from 0   | not known                           |
// | PBS        | PBS_ARRAY_INDEX           | as asked | not known                           |
// | LSF        | LSB_JOBINDEX              | from 1   | LSB_JOBINDEX_END, LSB_JOBINDEX_STEP |
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "base/fields.h"

namespace bertprep {

// Looks up variables by name; nullptr if not set, as std::getenv.
using Environment = std::function<const char*(const char*)>;

// ArrayOptions: the position given by the user instead of the engine's variables. Text, as empty means "not given".
struct ArrayOptions {
  std::string array_task;   // from 0; empty: the engine's index
  std::string array_count;  // how many tasks the array has; empty: the engine's count
  std::string array_list;   // a file with one task per line: index k means the task on line k + 1

  static FieldList<ArrayOptions> fields();
};

struct ArrayPosition {
  std::uint64_t task = 0;
  std::uint64_t count = 1;
  std::string engine;        // "Slurm"; empty: the position was given, or there is no array
  bool beyond_list = false;  // the list ends before this index: nothing to do
};

// Task u mod count does unit u of a stage; without index and count, one task does all. Throws ConfigError, which says
// what to do, if the position is not certain, variables are not numbers or contradict each other, or those of two
// engines are set; IoError and FormatError for the list.
ArrayPosition array_position(const ArrayOptions& given, const Environment& environment);

// JobAttempt: for finding the log of this process.
struct JobAttempt {
  std::string engine;         // "AWS Batch", "Slurm", "SGE", "PBS", "LSF", "Kubernetes"; empty outside of jobs
  std::string job;            // as the engine's own commands take it: "1234_5"
  std::string name;           // of the job, if the engine says
  std::uint64_t attempt = 0;  // from 1; 0: the engine does not say
};

JobAttempt engine_attempt(const Environment& environment);

}  // namespace bertprep
