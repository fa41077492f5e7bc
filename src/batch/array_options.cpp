#include "batch/array_options.h"

#include <array>

namespace bertprep {

std::span<const Field<ArrayOptions>> ArrayOptions::fields() {
  static const std::array<Field<ArrayOptions>, 3> kFields{{
      {.name = "array-task",
       .member = &ArrayOptions::array_task,
       .unit = "index",
       .help = "task of the array to run, from 0 (default: set by the engine)",
       .in_recipe = false},
      {.name = "array-count",
       .member = &ArrayOptions::array_count,
       .unit = "tasks",
       .help = "number of tasks in the array (default: set by the engine)",
       .in_recipe = false},
      {.name = "array-list",
       .member = &ArrayOptions::array_list,
       .unit = "file",
       .help = "file with one task per line, as retry-list --syntax aws-batch prints it: index k runs the task on line "
               "k + 1",
       .in_recipe = false},
  }};
  return kFields;
}

}  // namespace bertprep
