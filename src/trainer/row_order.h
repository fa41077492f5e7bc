// RowOrder: which row comes when. A function of the seed and the epoch alone: the number of processes, batch sizes and
// prefetching have no part in it.
//
// Rows are dealt with in blocks of at most kBlockRows rows of one shard. An epoch visits all blocks in a shuffled order
// and the rows of each block in a shuffled order; every row comes once. The rows of all epochs are one endless
// sequence, and a place in it is a single number: epoch x rows + rows before it in the epoch.
#pragma once

#include <cstdint>
#include <vector>

namespace bertprep {

struct RowBlock {
  std::uint32_t shard = 0;
  std::uint64_t first = 0;  // row of the shard
  std::uint32_t rows = 0;
};

class RowOrder {
 public:
  static constexpr std::uint32_t kBlockRows = 32768;

  // `rows_per_shard` in the order of the shards' names.
  RowOrder(const std::vector<std::uint64_t>& rows_per_shard, std::uint64_t seed, bool shuffle);

  std::uint64_t rows_per_epoch() const { return rows_per_epoch_; }
  // The blocks in the order in which `epoch` visits them.
  std::vector<RowBlock> blocks(std::uint64_t epoch) const;
  // The rows of the shard that make up the block, in order.
  std::vector<std::uint64_t> rows(std::uint64_t epoch, const RowBlock& block) const;

 private:
  std::vector<RowBlock> blocks_;
  std::uint64_t rows_per_epoch_ = 0;
  std::uint64_t seed_;
  bool shuffle_;
};

}  // namespace bertprep
