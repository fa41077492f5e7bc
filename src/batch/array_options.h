// ArrayOptions: which task of an array job a process is, when it is told and not found in the engine's variables.
#pragma once

#include <span>
#include <string>

#include "base/fields.h"

namespace bertprep {

// Numbers are text, as "not given" is none of them.
struct ArrayOptions {
  std::string array_task;   // from 0; empty: the engine's index
  std::string array_count;  // how many tasks the array has; empty: the engine's count
  std::string array_list;   // a file with a task a line: index k stands for the task on line k + 1

  static constexpr OptionGroup kGroup = OptionGroup::kArrayJobs;
  static std::span<const Field<ArrayOptions>> fields();
};

}  // namespace bertprep
