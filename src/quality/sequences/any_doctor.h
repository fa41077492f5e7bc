// Doctor for sets of every format.
#pragma once

#include <filesystem>
#include <vector>

#include "quality/doctor/doctor.h"

namespace bertprep {

// What diagnose() does, and MDS and Megatron sets: `path` is a folder that is a set or has some below it, a file of a
// set, or PREFIX of PREFIX.bin and PREFIX.idx. A trainer that was asked for and finds no set of its format has a
// finding. Throws IoError; FormatError where there is no set at all; Cancelled.
std::vector<Diagnosis> diagnose_any(const std::filesystem::path& path, const DoctorOptions& options,
                                    Progress& progress);

// An MDS set: `folder` holds an index.json, or shards without one. Reads every shard once, without trusting it. Memory:
// a compressed shard, unpacked; a few MiB else. Throws IoError, Cancelled.
Diagnosis diagnose_mds(const std::filesystem::path& folder, const DoctorOptions& options, Progress& progress);

// The Megatron set of PREFIX.bin and PREFIX.idx. Reads both once, without trusting them. Memory: some MiB for counts of
// ids. Throws IoError, Cancelled.
Diagnosis diagnose_megatron(const std::filesystem::path& prefix, const DoctorOptions& options, Progress& progress);

}  // namespace bertprep
