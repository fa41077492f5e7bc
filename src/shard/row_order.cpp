#include <algorithm>
#include <numeric>
#include <span>
#include <string>

#include "base/number_text.h"
#include "base/random.h"
#include "bertprep/shard/row_stream.h"

namespace bertprep {
namespace {

constexpr std::uint64_t kRowsOfV1 = 32768;

// V1: a separate seed for every block of every epoch. Python's seeds have any size, so the numbers are concatenated,
// each padded to its maximum number of digits.
Random random_of(std::uint64_t seed, std::uint64_t epoch, std::uint64_t block) {
  const auto padded = [](std::uint64_t value) { return padded_number(value, 20); };
  return Random("1" + padded(seed) + padded(epoch) + padded(block));
}

// V2: a key for the chunks of an epoch, number 0, and for the rows of each of its pools.
std::uint64_t key_of(std::uint64_t seed, std::uint64_t epoch, std::uint64_t number) {
  return mixed_bits(mixed_bits(mixed_bits(seed) + epoch) + number);
}

// Sorting by random bits puts things in random order.
template <class Thing>
struct Drawn {
  std::uint64_t bits = 0;
  Thing thing;
};

// `things` must be ascending; those that draw equal bits keep their order.
template <class Thing>
void shuffle_by_bits(std::vector<Thing>& things, std::uint64_t key) {
  std::vector<Drawn<Thing>> drawn;
  drawn.reserve(things.size());
  for (const Thing& thing : things) drawn.push_back({mixed_bits(key + drawn.size()), thing});
  std::sort(drawn.begin(), drawn.end(), [](const Drawn<Thing>& left, const Drawn<Thing>& right) {
    return left.bits != right.bits ? left.bits < right.bits : left.thing < right.thing;
  });
  std::transform(drawn.begin(), drawn.end(), things.begin(), [](const Drawn<Thing>& one) { return one.thing; });
}

std::uint64_t quotient_up(std::uint64_t value, std::uint64_t divisor) {
  return value / divisor + (value % divisor == 0 ? 0 : 1);
}

// Whole stored chunks, unless one is too large.
std::uint64_t chunk_rows_of_v2(std::uint64_t stored, std::uint64_t pool_rows) {
  const std::uint64_t least = std::max<std::uint64_t>(pool_rows / RowOrder::kPoolChunks, 1);
  const std::uint64_t most = std::max<std::uint64_t>(pool_rows / RowOrder::kMinChunks, 1);
  if (stored == 0) return least;
  return std::min(quotient_up(least, stored) * stored, most);
}

}  // namespace

RowOrder::RowOrder(const ShardSet& set, std::uint64_t seed, RowShuffle shuffle)
    : pool_rows_(std::clamp<std::uint64_t>(kPoolTokens / std::max<std::uint64_t>(set.seq_len, 1), 1, kPoolRows)),
      seed_(seed),
      shuffle_(shuffle) {
  for (const ShardEntry& entry : set.shards) {
    const std::uint64_t rows = shuffle == RowShuffle::kV1   ? kRowsOfV1
                               : shuffle == RowShuffle::kV2 ? chunk_rows_of_v2(entry.chunk_rows, pool_rows_)
                                                            : std::max<std::uint64_t>(pool_rows_ / kMinChunks, 1);
    shards_.push_back({entry.rows, rows, chunks_});
    chunks_ += quotient_up(entry.rows, rows);
    rows_per_epoch_ += entry.rows;
  }
}

EpochOrder RowOrder::epoch(std::uint64_t number) const {
  return {*this, number};
}

EpochOrder::EpochOrder(const RowOrder& order, std::uint64_t number)
    : order_(std::make_shared<const RowOrder>(order)), number_(number) {
  mix_chunks();
  split_pools();
}

std::uint64_t EpochOrder::rows_of(const Chunk& chunk) const {
  const RowOrder::Shard& shard = order_->shards_[chunk.shard];
  return std::min(shard.chunk_rows, shard.rows - chunk.number * shard.chunk_rows);
}

void EpochOrder::mix_chunks() {
  chunks_.reserve(order_->chunks_);
  for (std::uint32_t shard = 0; shard < order_->shards_.size(); ++shard) {
    const RowOrder::Shard& whole = order_->shards_[shard];
    const auto chunks = static_cast<std::uint32_t>(quotient_up(whole.rows, whole.chunk_rows));
    for (std::uint32_t number = 0; number < chunks; ++number) chunks_.push_back({shard, number});
  }
  if (order_->shuffle_ == RowShuffle::kV1) random_of(order_->seed_, number_, 0).shuffle(std::span(chunks_));
  if (order_->shuffle_ == RowShuffle::kV2) shuffle_by_bits(chunks_, key_of(order_->seed_, number_, 0));
}

// The pools of V2 have about the same number of rows: otherwise the last one would mix the fewest.
void EpochOrder::split_pools() {
  const std::uint64_t rows = order_->rows_per_epoch_;
  const std::uint64_t step = quotient_up(rows, quotient_up(rows, order_->pool_rows_));
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    const bool is_first = pools_.empty() || begin / step != pools_.back().begin / step;
    if (is_first || order_->shuffle_ != RowShuffle::kV2) pools_.push_back({begin, i});
    begin += rows_of(chunks_[i]);
  }
}

std::size_t EpochOrder::pool_of(std::uint64_t row) const {
  const auto after = std::upper_bound(pools_.begin(), pools_.end(), row,
                                      [](std::uint64_t value, const Pool& pool) { return value < pool.begin; });
  return static_cast<std::size_t>(after - pools_.begin()) - 1;
}

std::uint64_t EpochOrder::end_of(std::size_t pool) const {
  return pool + 1 < pools_.size() ? pools_[pool + 1].begin : order_->rows_per_epoch_;
}

RowPool EpochOrder::pool(std::size_t number) const {
  RowPool pool;
  const std::size_t end = number + 1 < pools_.size() ? pools_[number + 1].first_chunk : chunks_.size();
  for (std::size_t i = pools_[number].first_chunk; i < end; ++i) {
    pool.blocks.push_back({chunks_[i].shard, chunks_[i].number * order_->shards_[chunks_[i].shard].chunk_rows,
                           static_cast<std::uint32_t>(rows_of(chunks_[i]))});
  }
  pool.order.resize(end_of(number) - begin_of(number));
  std::iota(pool.order.begin(), pool.order.end(), 0U);
  if (order_->shuffle_ == RowShuffle::kV1) {
    const Chunk& block = chunks_[pools_[number].first_chunk];
    const std::uint64_t index = order_->shards_[block.shard].first_chunk + block.number;
    random_of(order_->seed_, number_, index + 1).shuffle(std::span(pool.order));
  }
  if (order_->shuffle_ == RowShuffle::kV2) shuffle_by_bits(pool.order, key_of(order_->seed_, number_, number + 1));
  return pool;
}

}  // namespace bertprep
