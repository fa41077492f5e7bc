// RedistributedRows: the rows of many shards as one sequence, in order or shuffled, of which any part can be read.
//
// To shuffle, the rows of all shards are divided into blocks of 256, the blocks are shuffled, and then the rows within
// each pool of consecutive blocks, up to 32 MiB. So each chunk of a shard is read once or twice, and memory holds one
// pool.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bertprep/instance/instance_set.h"
#include "bertprep/shard/manifest.h"
#include "bertprep/shard/row_stream.h"
#include "bertprep/shard/schema.h"
#include "bertprep/token/vocab.h"
#include "io/json.h"

namespace bertprep {

// RedistributedCounts: counts of the rows of a redistributed shard, like those of a run for the rows that it makes.
class RedistributedCounts {
 public:
  // Without the id of [MASK], kinds of replacements are not distinguished.
  explicit RedistributedCounts(std::optional<TokenId> mask) : mask_(mask) {}

  void add(const Batch& rows, const ShardShape& shape);
  const RowCounts& rows() const { return rows_; }
  // The member kShardCounts of a completion record; without counts of text.
  Json to_json() const;

 private:
  void add_predictions(const Batch& rows, std::size_t row, const ShardShape& shape);

  std::optional<TokenId> mask_;
  RowCounts rows_{};
};

// vocab.txt of the shards of `input`, if it is the one named in its manifest.
std::optional<Vocab> vocab_of_input(const std::filesystem::path& folder, const std::optional<Manifest>& input);

// Completes the section "data" of `output`, which merge_records() made from such counts, with the counts of text and
// their warnings from `input`, if it has them.
void carry_data(const std::optional<Manifest>& input, bool is_mask_known, Manifest& output);

// How to make the numbers of rows equal: not at all, by dropping the excess, or by repeating some rows.
enum class EqualRows { kNo, kDrop, kRepeat };

// RowDistribution: how many rows each of the new shards gets.
struct RowDistribution {
  std::vector<std::uint64_t> rows_per_shard;
  std::uint64_t dropped = 0;
  std::uint64_t repeated = 0;
};

// Distributes `rows` over `shards` shards, at least 1. The rows of each are a multiple of `multiple`, at least 1;
// excess rows are dropped, with kRepeat repeated. Without kDrop and kRepeat, shards differ by at most one multiple, and
// the first have more. Throws FormatError if a shard would have no row, unless `rows` is 0.
RowDistribution distribute_rows(std::uint64_t rows, std::uint64_t shards, EqualRows equal_rows, std::uint64_t multiple);

// A value type; const calls are thread-safe.
class RedistributedRows {
 public:
  // `lengths`: of a row; the number of rows is ignored. `seed`: an integer in canonical form; nothing keeps the order.
  RedistributedRows(std::vector<ShardEntry> shards, const ShardShape& lengths, const std::optional<std::string>& seed);

  std::uint64_t rows() const { return pool_ends_.empty() ? 0 : pool_ends_.back(); }
  std::size_t pools() const { return pool_ends_.size(); }
  // The pool with row `place` of the sequence, and its first row.
  std::size_t pool_of(std::uint64_t place) const;
  std::uint64_t begin_of(std::size_t pool) const { return pool == 0 ? 0 : pool_ends_[pool - 1]; }
  std::uint64_t end_of(std::size_t pool) const { return pool_ends_[pool]; }
  // Reads the rows of a pool in their new order. Throws IoError, FormatError.
  void read(std::size_t pool, Batch& rows) const;

 private:
  std::vector<ShardEntry> shards_;
  ShardShape lengths_;
  std::optional<std::string> seed_;
  std::size_t blocks_of_pool_ = 1;
  std::vector<RowBlock> blocks_;  // in their new order
  std::vector<std::uint64_t> pool_ends_;
};

}  // namespace bertprep
