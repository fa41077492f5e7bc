// The numbers of a Megatron set against each other: type, sizes, offsets, ends of documents.
#pragma once

#include <cstdint>

#include "quality/doctor/findings.h"
#include "shard/megatron/megatron_view.h"

namespace bertprep {

// How the ids of a set can be read, even if its index is wrong.
struct MegatronReading {
  unsigned width = 0;  // bytes of an id; 0: they can't be read
  bool is_signed = false;
  bool has_document_ends = true;  // that are valid
};

// `bin_bytes`: the size of PREFIX.bin.
MegatronReading find_number_traps(const MegatronView& index, std::uint64_t bin_bytes, Findings& findings);

}  // namespace bertprep
