// Copies rows between batches.
#pragma once

#include "bertprep/shard/schema.h"

namespace bertprep {

// Both batches have the lengths of `shape` and enough rows.
void copy_row(const Batch& from, std::size_t from_row, Batch& to, std::size_t to_row, const ShardShape& shape);

}  // namespace bertprep
