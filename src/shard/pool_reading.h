// The rows of a pool, from its shards.
#pragma once

#include <vector>

#include "bertprep/shard/row_stream.h"

namespace bertprep {

// Where the rows of a pool lie, in their order.
std::vector<RowPlace> places_of(const RowPool& pool);

// Reads the rows of a pool in their order: each of its shards is opened once and read from front to back. Throws
// IoError, FormatError, also for a value that a model can't take; ConfigError for an id that is none of the vocabulary.
void read_pool(const RowPool& pool, const ShardSet& set, Batch& rows);

}  // namespace bertprep
