// ArrayPosition: which task of an array job this process is.
//
// From --array-task and --array-count if given, else from the engine's variables (engine_variables.h). With
// --array-count alone, the engine's index is the task. Tasks are numbered from 0: if the engine counts from 1, its
// first task is task 0. With --array-list, the index picks a line of a file that names the task.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/fields.h"
#include "batch/engine_variables.h"

namespace bertprep {

// ArrayOptions: the position given by the user instead of the engine's variables. Text, as empty means "not given".
struct ArrayOptions {
  std::string array_task;   // from 0; empty: the engine's index
  std::string array_count;  // how many tasks the array has; empty: the engine's count
  std::string array_list;   // a file with one task per line: index k means the task on line k + 1

  static constexpr OptionGroup kGroup = OptionGroup::kArrayJobs;
  static std::span<const Field<ArrayOptions>> fields();
};

struct ArrayPosition {
  std::uint64_t task = 0;
  std::uint64_t count = 1;
  std::string engine;        // "Slurm"; empty: the position was given, or there is no array
  bool beyond_list = false;  // the list ends before this index: nothing to do
};

// Task u mod count does unit u of a stage; without index and count, one task does all. Throws ConfigError, which says
// what to do, if the position is not certain; IoError and FormatError for the list.
ArrayPosition array_position(const ArrayOptions& given, const Environment& environment);

// The value of --array-count; nothing if not given. Throws ConfigError.
std::optional<std::uint64_t> given_count(const ArrayOptions& given);

}  // namespace bertprep
