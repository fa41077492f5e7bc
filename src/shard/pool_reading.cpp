#include "shard/pool_reading.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

struct Part {
  RowBlock block;
  std::size_t number = 0;  // of its first row in the pool
};

std::vector<Part> parts_by_place(const RowPool& pool) {
  std::vector<Part> parts;
  std::size_t number = 0;
  for (const RowBlock& block : pool.blocks) {
    parts.push_back({block, number});
    number += block.rows;
  }
  std::sort(parts.begin(), parts.end(), [](const Part& left, const Part& right) {
    return std::pair(left.block.shard, left.block.first) < std::pair(right.block.shard, right.block.first);
  });
  return parts;
}

ShardReader open_shard(const ShardEntry& shard, RowContent content) {
  ShardReader reader(shard.path, content);
  if (reader.shape().rows != shard.rows) {
    throw FormatError("no longer has the number of rows that it had at the start", shard.path,
                      "do not change the shards while they are read");
  }
  return reader;
}

}  // namespace

std::vector<RowPlace> places_of(const RowPool& pool) {
  std::vector<RowPlace> in_blocks;
  in_blocks.reserve(pool.order.size());
  for (const RowBlock& block : pool.blocks) {
    for (std::uint64_t row = block.first; row < block.first + block.rows; ++row) {
      in_blocks.push_back({block.shard, row});
    }
  }
  std::vector<RowPlace> places;
  places.reserve(pool.order.size());
  for (const std::uint32_t number : pool.order) places.push_back(in_blocks[number]);
  return places;
}

void read_pool(const RowPool& pool, std::span<const ShardEntry> shards, const ShardShape& lengths, RowContent content,
               const CheckRows& check, Batch& rows) {
  std::vector<std::uint32_t> target(pool.order.size());
  for (std::uint32_t i = 0; i < target.size(); ++i) target[pool.order[i]] = i;
  rows.resize(target.size(), lengths);
  std::optional<ShardReader> reader;
  std::uint32_t open = 0;
  Batch part_rows;
  for (const Part& part : parts_by_place(pool)) {
    const ShardEntry& shard = shards[part.block.shard];
    if (!reader || open != part.block.shard) {
      reader.emplace(open_shard(shard, content));
      open = part.block.shard;
    }
    reader->read(part.block.first, part.block.rows, part_rows);
    if (check) check(part_rows, part.block.first, shard);
    for (std::size_t i = 0; i < part.block.rows; ++i) {
      copy_row(part_rows, i, rows, target[part.number + i], lengths);
    }
  }
}

}  // namespace bertprep
