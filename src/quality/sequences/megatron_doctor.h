// Doctor for Megatron sets, and their numbers against each other: type, sizes, offsets, ends of documents.
#pragma once

#include "quality/doctor/doctor.h"
#include "shard/megatron/megatron_set.h"

namespace bertprep {

// The Megatron set of PREFIX.bin and PREFIX.idx. Reads both once, without trusting them. Memory: a few MiB for counts
// of ids. Throws IoError, Cancelled.
Diagnosis diagnose_megatron(const std::filesystem::path& prefix, const DoctorOptions& options, Progress& progress,
                            const RowVisitor& visitor = {});

// How the ids of a set can be read, even if its index is wrong.
struct MegatronReading {
  unsigned width = 0;  // bytes of an id; 0: they can't be read
  bool is_signed = false;
  bool has_document_ends = true;  // that are valid
};

// `bin_bytes`: the size of PREFIX.bin.
MegatronReading find_number_traps(const MegatronView& index, std::uint64_t bin_bytes, Findings& findings);

}  // namespace bertprep
