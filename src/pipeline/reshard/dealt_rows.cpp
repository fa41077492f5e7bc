#include "pipeline/reshard/dealt_rows.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "base/random.h"
#include "bertprep/base/error.h"
#include "bertprep/shard/shard_reader.h"
#include "shard/row_copying.h"

namespace bertprep {
namespace {

constexpr std::uint64_t kShuffledBlockRows = 256;
constexpr std::uint64_t kPoolBytes = std::uint64_t{32} << 20U;

std::uint64_t row_bytes(const ShardShape& lengths) {
  return 6 * lengths.seq_len + 8 * lengths.max_predictions + 1;
}

// A seed of its own for the blocks, number 0, and for each pool: the user's number with 20 digits behind it.
Random random_of(const std::string& seed, std::uint64_t number) {
  const std::string digits = std::to_string(number);
  return Random(seed + std::string(20 - digits.size(), '0') + digits);
}

}  // namespace

DealtRows::DealtRows(std::vector<DealtShard> shards, const ShardShape& lengths, const std::optional<std::string>& seed)
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

std::size_t DealtRows::pool_of(std::uint64_t place) const {
  return static_cast<std::size_t>(std::upper_bound(pool_ends_.begin(), pool_ends_.end(), place) - pool_ends_.begin());
}

void DealtRows::read(std::size_t pool, Batch& rows) const {
  std::vector<std::size_t> order(end_of(pool) - begin_of(pool));
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (seed_) random_of(*seed_, pool + 1).shuffle(std::span(order));

  struct Part {
    RowBlock block;
    std::size_t place;  // of its first row in the pool
  };
  std::vector<Part> parts;
  const std::size_t first = pool * blocks_of_pool_;
  std::size_t place = 0;
  for (std::size_t i = first; i < std::min(first + blocks_of_pool_, blocks_.size()); ++i) {
    parts.push_back({blocks_[i], place});
    place += blocks_[i].rows;
  }
  // Each shard is opened once, and read from front to back.
  std::sort(parts.begin(), parts.end(), [](const Part& left, const Part& right) {
    return std::pair(left.block.shard, left.block.first) < std::pair(right.block.shard, right.block.first);
  });
  rows.resize(order.size(), lengths_);
  std::vector<std::size_t> target(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) target[order[i]] = i;
  std::optional<ShardReader> reader;
  std::uint32_t open_shard = 0;
  Batch block_rows;
  for (const Part& part : parts) {
    const DealtShard& shard = shards_[part.block.shard];
    if (!reader || open_shard != part.block.shard) {
      reader.reset();
      reader.emplace(shard.path);
      open_shard = part.block.shard;
      if (reader->shape().rows != shard.rows) {
        throw FormatError("has another number of rows than at the start", shard.path,
                          "leave the shards alone meanwhile");
      }
    }
    reader->read(part.block.first, part.block.rows, block_rows);
    for (std::size_t i = 0; i < part.block.rows; ++i) copy_row(block_rows, i, rows, target[part.place + i], lengths_);
  }
}

}  // namespace bertprep
