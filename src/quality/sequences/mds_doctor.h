// The traps of an MDS set.
#pragma once

#include "quality/doctor/doctor.h"

namespace bertprep {

// `folder` holds an index.json, or shards without one. Reads every shard once, without trusting it. Memory: a
// compressed shard, unpacked; a few MiB else. Throws IoError, Cancelled.
Diagnosis diagnose_mds(const std::filesystem::path& folder, const DoctorOptions& options, Progress& progress);

}  // namespace bertprep
