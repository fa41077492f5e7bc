// Reshard: redistributes the rows of finished shards, without the text.
#pragma once

#include "base/fields.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/shard/row_stream.h"

namespace bertprep {

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

// RedistributedRows: the rows of many shards as one sequence, in order or shuffled, of which any part can be read.
//
// To shuffle, the rows of all shards are divided into blocks of 256, the blocks are shuffled, and then the rows within
// each pool of consecutive blocks, up to 32 MiB. So each chunk of a shard is read once or twice, and memory holds one
// pool.
//
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

struct ReshardOptions {
  std::int64_t shards = 0;       // for training; 0: as many as in the input
  std::int64_t test_shards = 0;  // likewise
  std::string shuffle_seed;      // empty: keep the order
  EqualRows equal_rows = EqualRows::kNo;
  std::int64_t rows_multiple_of = 1;
  bool flip_labels = false;  // label 1 becomes 0, and 0 becomes 1

  static FieldList<ReshardOptions> fields();
};

struct ReshardTask {
  std::filesystem::path input;  // a folder of shards, ours or another tool's
  std::filesystem::path output;
  std::string name;  // of the dataset; empty: that of the input
  ReshardOptions options{};
  ShardLayoutOptions layout{};
  WorkOptions work{};
};

struct ReshardReport {
  std::string name;
  std::uint64_t training_shards = 0;
  std::uint64_t test_shards = 0;
  std::uint64_t training_rows = 0;
  std::uint64_t test_rows = 0;
  std::uint64_t dropped = 0;   // rows of the input that are in no output shard
  std::uint64_t repeated = 0;  // rows that occur more than once
  std::uint64_t made = 0;      // shards
  std::uint64_t found = 0;     // shards finished by an earlier call
};

// Output: NAME_training_I.hdf5, NAME_test_I.hdf5 and manifest.json, with the recipe of the input's manifest, if it has
// one, and the options. Files with 'test' in their names are for testing, all others for training. Rows are read in the
// natural order of files; repeated and dropped rows apply only to training. A killed call resumes when repeated. The
// same input and options give the same bytes. Memory per thread: about 64 MiB, and a writer.
//
// Throws IoError, Cancelled; ConfigError if the output is inside the input, or an option is invalid; FormatError if the
// input has no rows, rows of two lengths or files that are not shards, or the output has other files.
ReshardReport reshard(const ReshardTask& task, Progress& progress);

}  // namespace bertprep
