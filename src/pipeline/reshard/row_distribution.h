// RowDistribution: how many rows each of the new shards gets.
#pragma once

#include <cstdint>
#include <vector>

namespace bertprep {

// How to make the numbers of rows equal: not at all, by dropping the excess, or by repeating some rows.
enum class EqualRows { kNo, kDrop, kRepeat };

struct RowDistribution {
  std::vector<std::uint64_t> rows_per_shard;
  std::uint64_t dropped = 0;
  std::uint64_t repeated = 0;
};

// Distributes `rows` over `shards` shards, at least 1. The rows of each are a multiple of `multiple`, at least 1;
// excess rows are dropped, with kRepeat repeated. Without kDrop and kRepeat, shards differ by at most one multiple, and
// the first have more. Throws FormatError if a shard would have no row, unless `rows` is 0.
RowDistribution distribute_rows(std::uint64_t rows, std::uint64_t shards, EqualRows equal_rows, std::uint64_t multiple);

}  // namespace bertprep
