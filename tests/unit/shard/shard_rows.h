// Rows for tests of shards: realistic ones, some with arbitrary values; and whole files in one call.
#pragma once

#include <cstdint>
#include <filesystem>

#include "bertprep/shard/schema.h"
#include "bertprep/shard/shard_writer.h"

namespace bertprep::test {

// Valid rows for check_rows: varied lengths, ids below `vocab_size`, ascending positions.
// The same seed gives the same rows.
Batch valid_rows(const ShardShape& shape, std::uint32_t seed, std::int32_t vocab_size = 30522);

// Arrays filled with arbitrary values of their types.
Batch arbitrary_rows(const ShardShape& shape, std::uint32_t seed);

// Rows [first, first + count) of `all`.
Batch slice(const Batch& all, const ShardShape& shape, std::size_t first, std::size_t count);

bool same_rows(const Batch& a, const Batch& b);

void write_shard(const std::filesystem::path& path, const ShardShape& shape, const Batch& rows,
                 const std::string& layout = "rows");
Batch read_shard(const std::filesystem::path& path);

}  // namespace bertprep::test
