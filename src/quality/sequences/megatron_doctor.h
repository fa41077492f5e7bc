// The traps of a Megatron set.
#pragma once

#include "quality/doctor/doctor.h"

namespace bertprep {

// Of PREFIX.bin and PREFIX.idx. Reads both once, without trusting them. Memory: some MiB for counts of ids. Throws
// IoError, Cancelled.
Diagnosis diagnose_megatron(const std::filesystem::path& prefix, const DoctorOptions& options, Progress& progress);

}  // namespace bertprep
