#include "pipeline/reshard/redistributed_rows.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "base/number_text.h"
#include "base/random.h"
#include "bertprep/base/error.h"
#include "shard/pool_reading.h"

namespace bertprep {
namespace {

constexpr std::uint64_t kShuffledBlockRows = 256;
constexpr std::uint64_t kPoolBytes = std::uint64_t{32} << 20U;

std::uint64_t row_bytes(const ShardShape& lengths) {
  return 6 * lengths.seq_len + 8 * lengths.max_predictions + 1;
}

// A separate seed for the blocks, number 0, and for each pool: the user's number followed by 20 digits.
Random random_of(const std::string& seed, std::uint64_t number) {
  return Random(seed + padded_number(number, 20));
}

}  // namespace

RedistributedRows::RedistributedRows(std::vector<ShardEntry> shards, const ShardShape& lengths,
                                     const std::optional<std::string>& seed)
    : shards_(std::move(shards)), lengths_(lengths), seed_(seed) {
  const std::uint64_t fitting = std::max<std::uint64_t>(kPoolBytes / row_bytes(lengths), 1);
  const std::uint64_t block_rows = std::min(fitting, kShuffledBlockRows);
  if (seed_) blocks_of_pool_ = std::max<std::uint64_t>(fitting / block_rows, 1);
  const std::uint64_t step = seed_ ? block_rows : std::min<std::uint64_t>(fitting, 8192);
  for (std::uint32_t shard = 0; shard < shards_.size(); ++shard) {
    for (std::uint64_t first = 0; first < shards_[shard].rows; first += step) {
      blocks_.push_back({shard, first, static_cast<std::uint32_t>(std::min(step, shards_[shard].rows - first))});
    }
  }
  if (seed_) random_of(*seed_, 0).shuffle(std::span(blocks_));
  for (std::size_t block = 0; block < blocks_.size(); ++block) {
    const std::uint64_t before = block == 0 ? 0 : pool_ends_.back();
    if (block % blocks_of_pool_ == 0) pool_ends_.push_back(before);
    pool_ends_.back() += blocks_[block].rows;
  }
}

std::size_t RedistributedRows::pool_of(std::uint64_t place) const {
  return static_cast<std::size_t>(std::upper_bound(pool_ends_.begin(), pool_ends_.end(), place) - pool_ends_.begin());
}

void RedistributedRows::read(std::size_t pool, Batch& rows) const {
  const auto first = blocks_.begin() + static_cast<std::ptrdiff_t>(pool * blocks_of_pool_);
  const auto left = static_cast<std::size_t>(blocks_.end() - first);
  RowPool read{{first, first + static_cast<std::ptrdiff_t>(std::min<std::size_t>(blocks_of_pool_, left))}, {}};
  read.order.resize(end_of(pool) - begin_of(pool));
  std::iota(read.order.begin(), read.order.end(), 0U);
  if (seed_) random_of(*seed_, pool + 1).shuffle(std::span(read.order));
  read_pool(read, shards_, lengths_, RowContent::kInstances, {}, rows);
}

RowDistribution distribute_rows(std::uint64_t rows, std::uint64_t shards, EqualRows equal_rows,
                                std::uint64_t multiple) {
  RowDistribution distribution;
  const bool repeats = equal_rows == EqualRows::kRepeat;
  const std::uint64_t in_multiples = rows / multiple;
  const std::uint64_t least = in_multiples / shards;
  const std::uint64_t most = (rows + shards * multiple - 1) / (shards * multiple);
  for (std::uint64_t shard = 0; shard < shards; ++shard) {
    const std::uint64_t more = equal_rows == EqualRows::kNo && shard < in_multiples % shards ? 1 : 0;
    distribution.rows_per_shard.push_back((repeats ? most : least + more) * multiple);
  }
  std::uint64_t redistributed = 0;
  for (const std::uint64_t count : distribution.rows_per_shard) redistributed += count;
  if (rows > 0 && distribution.rows_per_shard.back() == 0) {
    throw FormatError(counted(rows, "row") + " can't fill " + counted(shards, "shard") +
                          (multiple > 1 ? " with multiples of " + grouped(multiple) : "") + ": some would be empty",
                      {}, "ask for fewer shards");
  }
  distribution.dropped = redistributed < rows ? rows - redistributed : 0;
  distribution.repeated = redistributed > rows ? redistributed - rows : 0;
  return distribution;
}

}  // namespace bertprep
