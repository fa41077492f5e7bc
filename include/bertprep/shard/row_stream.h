// RowStream: the rows of a folder of shards in the order that training takes them, for a trainer of yours.
//
//   const bertprep::ShardSet set = bertprep::list_shards("dataset/hdf5_.../tickets", "training", true);
//   const bertprep::RowOrder order(set.rows_per_shard(), 42, true);
//   bertprep::RowStream stream(set, order, 0);
//   for (bertprep::TrainingBatch batch; stream.position() < order.rows_per_epoch();) {
//     stream.next(std::min<std::uint64_t>(32, order.rows_per_epoch() - stream.position()), batch);
//     step(batch.rows.input_ids, batch.rows.input_mask);  // row-major: batch.rows.rows x set.seq_len
//   }
//
// To resume, keep stream.position() and begin the next stream there. berttrain takes the same rows in the same order.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/shard/schema.h"
#include "bertprep/shard/shard_reader.h"

namespace bertprep {

struct ShardEntry {
  std::filesystem::path path;
  std::uint64_t rows = 0;
};

// The shards of a folder that one purpose takes, looked at before the first step. A plain value.
struct ShardSet {
  std::vector<ShardEntry> shards;  // sorted by name
  std::size_t seq_len = 0;
  std::size_t max_predictions = 0;
  std::string word;                        // in the names of its files
  std::optional<std::int64_t> vocab_size;  // what the manifest says

  std::uint64_t rows() const;
  std::vector<std::uint64_t> rows_per_shard() const;
  // Names and row counts in one digest: a checkpoint goes on with the same data only.
  std::string fingerprint() const;
};

// The files of `folder` that end in .hdf5 or .h5 and have `word` ("training", "test") in their names; where both stand
// in a name, the last one counts. Opens each one. Throws IoError, ConfigError when `required` and there is none or no
// row in them, FormatError when a file is no shard or has other lengths than the first, Cancelled.
ShardSet list_shards(const std::filesystem::path& folder, const std::string& word, bool required,
                     const Progress& progress = {});

// Throws FormatError when shards with `word` in their names are missing in `folder`, or are of several recipes, as far
// as the folder tells (find_gaps).
void require_whole(const std::filesystem::path& folder, const std::string& word);

// Reads every row, and compares with manifest.json where there is one. Throws FormatError for the first shard with a
// fault, ConfigError when a token id is not below `vocab_size`, Cancelled.
void check_shards(const ShardSet& set, std::int64_t vocab_size, Progress& progress);

// Throws ConfigError or FormatError when a model can't take the rows of a shard, which begin with row `first` of it,
// though all else may be wrong with them: an id, position, segment or label beyond its range.
void require_in_range(const Batch& rows, std::uint64_t first, const ShardSet& set, const std::filesystem::path& path);

struct RowBlock {
  std::uint32_t shard = 0;
  std::uint64_t first = 0;  // row of the shard
  std::uint32_t rows = 0;
};

// Which row comes when. A function of the seed and the epoch alone: the number of processes, batch sizes and
// prefetching have no part in it.
//
// Rows are dealt with in blocks of at most kBlockRows rows of one shard. An epoch visits all blocks in a shuffled order
// and the rows of each block in a shuffled order; every row comes once. The rows of all epochs are one endless
// sequence, and a place in it is a single number: epoch x rows + rows before it in the epoch.
//
// A plain value; const calls are thread-safe.
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

// Where a row lies.
struct RowPlace {
  std::uint32_t shard = 0;  // of the set
  std::uint64_t row = 0;
};

struct TrainingBatch {
  Batch rows;
  std::vector<RowPlace> places;     // of each row
  std::uint64_t next_position = 0;  // where the order goes on behind this batch
};

struct RowShare {
  std::uint64_t rank = 0;
  std::uint64_t processes = 1;
};

class RowStream {
 public:
  // Begins with row number `position` of the endless sequence. `set` must have rows. Throws IoError, FormatError.
  RowStream(ShardSet set, const RowOrder& order, std::uint64_t position, RowShare share = {});

  // The next `count` rows of all processes are taken; `batch` gets those of this one, count / processes. Throws
  // IoError, FormatError; ConfigError when `count` can't be shared evenly.
  void next(std::uint64_t count, TrainingBatch& batch);
  // The number of the row that comes next.
  std::uint64_t position() const { return position_; }

 private:
  void copy_rows(std::uint64_t count, TrainingBatch& batch);
  void skip_rows(std::uint64_t count);
  // Makes the block of position_ the current one; its rows are read when they are needed.
  void enter_block();
  void load_block();

  ShardSet set_;
  RowOrder order_;
  std::uint64_t position_;
  RowShare share_;

  std::uint64_t epoch_ = 0;
  std::vector<RowBlock> blocks_;  // of the epoch
  std::size_t block_ = 0;
  std::uint64_t block_begin_ = 0;  // position of the block's first row
  bool loaded_ = false;
  Batch rows_;  // of the block, in the order of the file
  std::vector<std::uint64_t> order_in_block_;
};

}  // namespace bertprep
