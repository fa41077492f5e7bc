// ArrayLayout: where the state of an array job lies (docs/formats/array-job.md).
#pragma once

#include <filesystem>

#include "pipeline/array/array_job.h"

namespace bertprep {

struct ArrayLayout {
  std::filesystem::path folder;    // WORK/array/NAME-REQUEST
  std::filesystem::path plan;      // the file
  std::filesystem::path finished;  // a file, when all is done: the key of the plan
  std::filesystem::path attempts;  // one small file for each attempt that runs or failed
  std::filesystem::path format;    // pieces of formatted text
  std::filesystem::path shard;     // the assignment, and the pieces' articles by shard
};

ArrayLayout array_layout(const ArrayJob& job);
// The same of a job whose folder is known.
ArrayLayout array_layout(const std::filesystem::path& folder);

// All folders of array jobs below a work folder.
std::filesystem::path array_folder(const std::filesystem::path& work);

}  // namespace bertprep
