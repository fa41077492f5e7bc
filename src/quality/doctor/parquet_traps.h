// Traps of the Parquet files that LDDL makes and NVIDIA's BERT trainer has read since March 2022.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "bertprep/base/progress.h"
#include "quality/doctor/findings.h"

namespace bertprep {

// The files below `folder` with the extension .parquet, or .parquet_N for bin N; sorted, without hidden ones.
std::vector<std::filesystem::path> parquet_files(const std::filesystem::path& folder);

// Returns the number of rows of all files. `ranks`: 0 if unknown. Throws IoError, Cancelled.
std::uint64_t find_parquet_traps(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& files,
                                 std::uint64_t ranks, Findings& findings, Progress& progress);

}  // namespace bertprep
