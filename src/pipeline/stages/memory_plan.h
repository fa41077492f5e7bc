// MemoryPlan: how many text shards may be worked on at once within --memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bertprep/instance/instance_set.h"

namespace bertprep {

// What one text shard of `text_bytes` needs at its peak, in bytes: the mapped text, its token ids and the instances of
// one phase. An upper estimate; tests/e2e holds it against the system's measure.
std::uint64_t shard_memory_bytes(std::uint64_t text_bytes, const InstanceOptions& options);

// The most threads, from 1 to `threads`, whose shards fit in `memory` together. Throws FormatError when not even one
// does.
std::size_t threads_within(std::uint64_t memory, std::uint64_t largest_shard_bytes, std::size_t threads);

}  // namespace bertprep
