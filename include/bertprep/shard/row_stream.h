// RowStream: the rows of a folder of shards in training order, for your own trainer.
//
//   const bertprep::ShardSet set = bertprep::list_shards("dataset/hdf5_.../tickets", "training", true);
//   const bertprep::RowOrder order(set.rows_per_shard(), 42, true);
//   bertprep::RowStream stream(set, order, 0);
//   for (bertprep::TrainingBatch batch; stream.position() < order.rows_per_epoch();) {
//     stream.next(std::min<std::uint64_t>(32, order.rows_per_epoch() - stream.position()), batch);
//     step(batch.rows.input_ids, batch.rows.input_mask);  // row-major: batch.rows.rows x set.seq_len
//   }
//
// To resume, save stream.position() and start the next stream there. berttrain reads the same rows in the same order.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/shard/manifest.h"
#include "bertprep/shard/schema.h"
#include "bertprep/shard/shard_reader.h"

namespace bertprep {

struct ShardEntry {
  std::filesystem::path path;
  std::uint64_t rows = 0;
};

// The shards of a folder for one purpose, such as training, as listed before the first step. A plain value.
struct ShardSet {
  std::vector<ShardEntry> shards;  // sorted by name
  std::size_t seq_len = 0;
  std::size_t max_predictions = 0;
  std::string word;                        // in the names of its files
  std::optional<std::int64_t> vocab_size;  // from the manifest
  // Likewise; where it has no such section, what its recipe says.
  std::optional<ManifestVocab> vocabulary{};

  std::uint64_t rows() const;
  std::vector<std::uint64_t> rows_per_shard() const;
  // A digest of names and row counts: a checkpoint resumes only with the same data.
  std::string fingerprint() const;
};

// The files of `folder` that end in .hdf5 or .h5 and have `word` ("training", "test") in their names; if a name has
// both, the last one decides. Opens each file. Throws IoError; ConfigError if `required` and there is no such file or
// no row; FormatError if a file is not a shard or its lengths differ from the first; Cancelled.
ShardSet list_shards(const std::filesystem::path& folder, const std::string& word, bool required,
                     const Progress& progress = {});

// Throws FormatError if shards with `word` in their names are missing in `folder` or have several recipes, as far as
// the folder shows (find_gaps).
void require_whole(const std::filesystem::path& folder, const std::string& word);

// Reads every row, and compares with manifest.json if it exists. Throws FormatError for the first invalid shard,
// ConfigError if a token id is not below `vocab_size`, Cancelled.
void check_shards(const ShardSet& set, std::int64_t vocab_size, Progress& progress);

// Throws ConfigError or FormatError if an id, position, segment or label of `rows` is out of the range that a model
// accepts. Checks nothing else. `rows` start at row `first` of the shard at `path`.
void require_in_range(const Batch& rows, std::uint64_t first, const ShardSet& set, const std::filesystem::path& path);

struct RowBlock {
  std::uint32_t shard = 0;
  std::uint64_t first = 0;  // row of the shard
  std::uint32_t rows = 0;
};

// The order of the rows. It depends only on the seed and the epoch, not on the number of processes, batch sizes or
// prefetching.
//
// Rows are grouped into blocks of at most kBlockRows rows of one shard. An epoch visits all blocks in a shuffled order
// and the rows of each block in a shuffled order; every row comes once. The rows of all epochs form one endless
// sequence; a position in it is a single number: epoch x rows + rows before it in the epoch.
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

// Where a row is.
struct RowPlace {
  std::uint32_t shard = 0;  // of the set
  std::uint64_t row = 0;
};

struct TrainingBatch {
  Batch rows;
  std::vector<RowPlace> places;     // of each row
  std::uint64_t next_position = 0;  // of the row after this batch
};

struct RowShare {
  std::uint64_t rank = 0;
  std::uint64_t processes = 1;
};

class RowStream {
 public:
  // Starts with row number `position` of the endless sequence. `set` must have rows. Throws IoError, FormatError.
  RowStream(ShardSet set, const RowOrder& order, std::uint64_t position, RowShare share = {});

  // Takes the next `count` rows of all processes; `batch` gets those of this process, count / processes. Throws
  // IoError, FormatError; ConfigError if `count` can't be split evenly.
  void next(std::uint64_t count, TrainingBatch& batch);
  // The number of the next row.
  std::uint64_t position() const { return position_; }

 private:
  void copy_rows(std::uint64_t count, TrainingBatch& batch);
  void skip_rows(std::uint64_t count);
  // Makes the block of position_ the current one; its rows are read when needed.
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
