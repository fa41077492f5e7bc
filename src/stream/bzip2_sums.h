// Whether the checksums that a bzip2 file names fit together, without decoding it.
#pragma once

#include <filesystem>

#include "base/task_runner.h"

namespace bertprep {

// The checksum of each whole stream is that of the checksums of its blocks, as they are written down. False also for a
// file whose marks are damaged. Reads the file once. Throws IoError.
bool bzip2_sums_agree(const std::filesystem::path& file, const TaskRunner& runner);

}  // namespace bertprep
