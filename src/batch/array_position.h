// ArrayPosition: which task of an array job this process is.
//
// From --array-task and --array-count when they are given, else from the engine's variables (engine_variables.h). With
// --array-count alone, the engine's index is the task: arrays are numbered from 0, where the engine counts from 1 its
// first task is task 0. With --array-list, the index picks a line of a file that names the task.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/fields.h"
#include "batch/engine_variables.h"

namespace bertprep {

// ArrayOptions: the position when it is told, not found in the engine's variables. Numbers are text, as "not given" is
// none of them.
struct ArrayOptions {
  std::string array_task;   // from 0; empty: the engine's index
  std::string array_count;  // how many tasks the array has; empty: the engine's count
  std::string array_list;   // a file with a task a line: index k stands for the task on line k + 1

  static constexpr OptionGroup kGroup = OptionGroup::kArrayJobs;
  static std::span<const Field<ArrayOptions>> fields();
};

struct ArrayPosition {
  std::uint64_t task = 0;
  std::uint64_t count = 1;
  std::string engine;        // "Slurm"; empty: the position was given, or there is no array
  bool beyond_list = false;  // the list ends before this index: nothing is to be done
};

// Unit u of a stage is done by task u mod count; without any index and count there is one task for all. Throws
// ConfigError that says what to do when the position is not known for sure, IoError and FormatError for the list.
ArrayPosition array_position(const ArrayOptions& given, const Environment& environment);

// What --array-count says; nothing when it is not given. Throws ConfigError.
std::optional<std::uint64_t> given_count(const ArrayOptions& given);

}  // namespace bertprep
