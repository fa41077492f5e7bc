// Doctor for sets of every format.
#pragma once

#include "quality/doctor/doctor.h"

namespace bertprep {

// As diagnose(), and for MDS and Megatron sets: `path` is a folder that is a set or contains some, a file of a set, or
// PREFIX of PREFIX.bin and PREFIX.idx. A requested trainer without a set in its format is a finding. Throws IoError;
// FormatError if there is no set; Cancelled.
std::vector<Diagnosis> diagnose_any(const std::filesystem::path& path, const DoctorOptions& options,
                                    Progress& progress);

// An MDS set: `folder` has an index.json, or shards without one. Reads every shard once, without trusting it. Memory: a
// compressed shard, unpacked; otherwise a few MiB. Throws IoError, Cancelled.
Diagnosis diagnose_mds(const std::filesystem::path& folder, const DoctorOptions& options, Progress& progress,
                       const RowVisitor& visitor = {});

// The Megatron set of PREFIX.bin and PREFIX.idx. Reads both once, without trusting them. Memory: a few MiB for counts
// of ids. Throws IoError, Cancelled.
Diagnosis diagnose_megatron(const std::filesystem::path& prefix, const DoctorOptions& options, Progress& progress,
                            const RowVisitor& visitor = {});

// How the ids of a Megatron set can be read, even if its index is wrong.
struct MegatronReading {
  unsigned width = 0;  // bytes of an id; 0: they can't be read
  bool is_signed = false;
  bool has_document_ends = true;  // that are valid
};

// Compares the numbers of a Megatron set with each other. `bin_bytes`: the size of PREFIX.bin.
MegatronReading find_number_traps(const class MegatronView& index, std::uint64_t bin_bytes, Findings& findings);

// Sets of token sequences at a path.

struct SequenceSets {
  std::vector<std::filesystem::path> mds;       // folders with an index.json or shards, sorted
  std::vector<std::filesystem::path> megatron;  // PREFIX of PREFIX.bin and PREFIX.idx, sorted

  bool is_empty() const { return mds.empty() && megatron.empty(); }
};

// `path` is a folder that is a set or contains some; a file of a set; or PREFIX. A set within a set belongs to it.
// Throws IoError.
SequenceSets find_sequence_sets(const std::filesystem::path& path);

// Of "shard.00000.mds", and of "shard.00000.mds.zstd", with any compression.
bool is_mds_shard(const std::string& name);

// "train", "val": typical names of split folders.
bool is_split_name(const std::string& name);

}  // namespace bertprep
