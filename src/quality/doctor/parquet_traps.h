// Traps of the Parquet files that LDDL makes and NVIDIA's BERT trainer has read since March 2022.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "bertprep/base/progress.h"
#include "quality/doctor/findings.h"

namespace bertprep {

// The files below `folder` with the extension .parquet, or .parquet_N for bin N; sorted, without hidden ones.
std::vector<std::filesystem::path> parquet_files(const std::filesystem::path& folder);

// Returns the number of rows of all files. `ranks`: 0 if unknown. Throws IoError, Cancelled.
std::uint64_t find_parquet_traps(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& files,
                                 std::uint64_t ranks, Findings& findings, Progress& progress);

// The number of rows of a Parquet file, from the metadata at its end (Apache Parquet, Thrift's compact protocol).
// Throws IoError, and FormatError if the file does not end like a Parquet file.
std::uint64_t parquet_rows(const std::filesystem::path& file);

// The same from the bytes of its FileMetaData; `file` is for messages.
std::uint64_t rows_of_parquet_metadata(std::string_view metadata, const std::filesystem::path& file);

}  // namespace bertprep
