// RowDeal: how many rows each of the new shards gets.
#pragma once

#include <cstdint>
#include <vector>

namespace bertprep {

// What makes shards of equal numbers of rows: nothing, leaving out what is over, or taking some rows twice.
enum class EqualRows { kNo, kDrop, kRepeat };

struct RowDeal {
  std::vector<std::uint64_t> rows_per_shard;
  std::uint64_t dropped = 0;
  std::uint64_t repeated = 0;
};

// Deals `rows` to `shards` shards, at least 1. The rows of each are a multiple of `multiple`, at least 1; what is over
// is dropped, but repeated with kRepeat. Without kDrop and kRepeat shards differ by one multiple at most, the first
// have more. Throws FormatError when a shard would have no row, unless there are none at all.
RowDeal deal_rows(std::uint64_t rows, std::uint64_t shards, EqualRows equal_rows, std::uint64_t multiple);

}  // namespace bertprep
