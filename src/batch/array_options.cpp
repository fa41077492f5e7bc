#include "bertprep/batch/array_options.h"

#include <array>

namespace bertprep {

std::span<const Field<ArrayOptions>> ArrayOptions::fields() {
  static const std::array<Field<ArrayOptions>, 3> kFields{{
      {.name = "array-task",
       .member = &ArrayOptions::array_task,
       .unit = "index",
       .help = "the task of the array that this process is, from 0 (default the index that the engine gave)",
       .in_recipe = false},
      {.name = "array-count",
       .member = &ArrayOptions::array_count,
       .unit = "tasks",
       .help = "of the array (default the count that the engine gave)",
       .in_recipe = false},
      {.name = "array-list",
       .member = &ArrayOptions::array_list,
       .unit = "file",
       .help = "with a task a line: index k does the task on line k + 1, as retry-list --syntax aws-batch prints them",
       .in_recipe = false},
  }};
  return kFields;
}

}  // namespace bertprep
