// Reads the rows of a pool from its shards, and copies rows between batches.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "bertprep/shard/row_stream.h"
#include "bertprep/shard/schema.h"

namespace bertprep {

// The positions of the rows of a pool, in order.
std::vector<RowPlace> places_of(const RowPool& pool);

// Checks rows that were read: `rows` start at row `first` of the shard.
using CheckRows = std::function<void(const Batch& rows, std::uint64_t first, const ShardEntry& shard)>;

// Reads the rows of a pool, of the given lengths, in order: opens each of its shards once and reads it from front to
// back. Throws IoError, FormatError, and what `check` throws.
void read_pool(const RowPool& pool, std::span<const ShardEntry> shards, const ShardShape& lengths, RowContent content,
               const CheckRows& check, Batch& rows);

// Both batches have the lengths of `shape` and enough rows.
void copy_row(const Batch& from, std::size_t from_row, Batch& to, std::size_t to_row, const ShardShape& shape);

}  // namespace bertprep
