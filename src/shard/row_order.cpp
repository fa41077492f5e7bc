#include "bertprep/shard/row_stream.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <string>

#include "base/random.h"

namespace bertprep {
namespace {

// A seed of its own for every block of every epoch. Python's seeds have any size, so the numbers just stand behind each
// other, each with as many digits as it can have.
Random random_of(std::uint64_t seed, std::uint64_t epoch, std::uint64_t block) {
  const auto padded = [](std::uint64_t value) {
    const std::string digits = std::to_string(value);
    return std::string(20 - digits.size(), '0') + digits;
  };
  return Random("1" + padded(seed) + padded(epoch) + padded(block));
}

}  // namespace

RowOrder::RowOrder(const std::vector<std::uint64_t>& rows_per_shard, std::uint64_t seed, bool shuffle)
    : seed_(seed), shuffle_(shuffle) {
  for (std::uint32_t shard = 0; shard < rows_per_shard.size(); ++shard) {
    for (std::uint64_t first = 0; first < rows_per_shard[shard]; first += kBlockRows) {
      const auto rows = std::min<std::uint64_t>(kBlockRows, rows_per_shard[shard] - first);
      blocks_.push_back({shard, first, static_cast<std::uint32_t>(rows)});
    }
    rows_per_epoch_ += rows_per_shard[shard];
  }
}

std::vector<RowBlock> RowOrder::blocks(std::uint64_t epoch) const {
  std::vector<RowBlock> blocks = blocks_;
  if (shuffle_) random_of(seed_, epoch, 0).shuffle(std::span(blocks));
  return blocks;
}

std::vector<std::uint64_t> RowOrder::rows(std::uint64_t epoch, const RowBlock& block) const {
  std::vector<std::uint64_t> rows(block.rows);
  std::iota(rows.begin(), rows.end(), block.first);
  if (!shuffle_) return rows;
  std::uint64_t number = 1;
  for (const RowBlock& other : blocks_) {
    if (other.shard == block.shard && other.first == block.first) break;
    ++number;
  }
  random_of(seed_, epoch, number).shuffle(std::span(rows));
  return rows;
}

}  // namespace bertprep
