// MemoryPlan: how many text shards may be processed at once within --memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bertprep/instance/instance_set.h"

namespace bertprep {

// The peak memory for one text shard of `text_bytes`, in bytes: the mapped text, its token ids and the instances of one
// phase. An upper estimate; tests/e2e compares it with the measured memory.
std::uint64_t shard_memory_bytes(std::uint64_t text_bytes, const InstanceOptions& options);

// The maximum number of threads, from 1 to `threads`, whose shards fit in `memory`. Throws FormatError if not even one
// does.
std::size_t threads_within(std::uint64_t memory, std::uint64_t largest_shard_bytes, std::size_t threads);

}  // namespace bertprep
