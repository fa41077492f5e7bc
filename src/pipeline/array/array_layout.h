// ArrayLayout: where the state of an array job is stored (docs/formats/array-job.md).
#pragma once

#include <filesystem>

#include "pipeline/array/array_job.h"

namespace bertprep {

struct ArrayLayout {
  std::filesystem::path folder;    // WORK/array/NAME-REQUEST
  std::filesystem::path plan;      // the file
  std::filesystem::path finished;  // a file, once all is done: the key of the plan
  std::filesystem::path attempts;  // one small file for each running or failed attempt
  std::filesystem::path format;    // pieces of formatted text
  std::filesystem::path shard;     // the assignment, and the pieces' articles by shard
};

ArrayLayout array_layout(const ArrayJob& job);
// The same for a job whose folder is known.
ArrayLayout array_layout(const std::filesystem::path& folder);

// All folders of array jobs below a work folder.
std::filesystem::path array_folder(const std::filesystem::path& work);

}  // namespace bertprep
