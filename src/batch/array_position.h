// ArrayPosition: which task of an array job this process is.
//
// From --array-task and --array-count when they are given, else from the engine's variables (engine_index.h). With
// --array-count alone, the engine's index is the task: arrays are numbered from 0, where the engine counts from 1 its
// first task is task 0. With --array-list, the index picks a line of a file that names the task.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "batch/array_options.h"
#include "batch/environment.h"

namespace bertprep {

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
