// RowStream: the rows of a folder of shards in training order, for your own trainer.
//
//   const bertprep::ShardSet set = bertprep::list_shards("dataset/hdf5_.../tickets", "training", true);
//   const bertprep::RowOrder order(set, 42);
//   bertprep::RowStream stream(set, order, 0);
//   for (bertprep::TrainingBatch batch; stream.position() < order.rows_per_epoch();) {
//     stream.next(std::min<std::uint64_t>(32, order.rows_per_epoch() - stream.position()), batch);
//     step(batch.rows.input_ids, batch.rows.input_mask);  // row-major: batch.rows.rows x set.seq_len
//   }
//
// To resume, save stream.position() and start the next stream there. berttrain reads the same rows in the same order.
#pragma once

#include <compare>
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
  std::uint64_t chunk_rows = 0;  // rows of a stored chunk of token ids; 0: stored without chunks
};

// The shards of a folder for one purpose, such as training, as listed before the first step. A plain value.
struct ShardSet {
  std::vector<ShardEntry> shards;  // sorted by name
  std::size_t seq_len = 0;
  std::size_t max_predictions = 0;
  RowContent content = RowContent::kInstances;
  std::string word;                        // in the names of its files
  std::optional<std::int64_t> vocab_size;  // from the manifest
  // From the manifest; if it lacks this section, from its recipe.
  std::optional<ManifestVocab> vocabulary{};

  std::uint64_t rows() const;
  // A digest of names and row counts: a checkpoint resumes only with the same data.
  std::string fingerprint() const;
  // The same with the rows per chunk, on which RowShuffle::kV2 depends.
  std::string fingerprint_with_chunks() const;
};

// The files of `folder` that end in .hdf5 or .h5 and have `word` ("training", "test") in their names; if a name has
// both, the last one decides. Opens each file. Throws IoError; ConfigError if `required` and there is no such file or
// no row, or if the rows have another content; FormatError if a file is not a shard or its lengths differ from the
// first; Cancelled.
ShardSet list_shards(const std::filesystem::path& folder, const std::string& word, bool required,
                     const Progress& progress = {}, RowContent content = RowContent::kInstances);

// Throws FormatError if shards with `word` in their names are missing in `folder` or have several recipes, as far as
// the folder shows.
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

// How an epoch shuffles its rows.
//
// kV2: shuffles the chunks of all shards, joins consecutive chunks into pools of about 32,768 rows, and shuffles the
// rows of each pool. kV1, the order of version 0.2: shuffles blocks of 32,768 rows of one shard, and the rows of each.
// docs/formats/randomness.md defines both.
enum class RowShuffle { kV2, kV1, kNone };

// Rows that are read and shuffled together.
struct RowPool {
  std::vector<RowBlock> blocks;
  // The rows of the pool in their order, as numbers: those of the first block from 0 on, then those of the second.
  std::vector<std::uint32_t> order;
};

class EpochOrder;

// The order of the rows. It depends only on the shards, the seed and the epoch, not on the number of processes, batch
// sizes or prefetching.
//
// Every row comes once an epoch. The rows of all epochs form one endless sequence; a position in it is a single
// number: epoch x rows + rows before it in the epoch.
//
// Memory: 8 bytes per chunk while an epoch is open, 24 while it is being opened: 31 MB and 94 MB for 10^9 rows in
// chunks of 256, opened in a third of a second. A pool has at most 36,864 rows; with 1,024 tokens or more per row, at
// most 2^25 tokens and an eighth more. It takes 30 MB at 128 tokens per row, 120 MB at 512, and at most 270 MB beyond.
//
// A plain value; const calls are thread-safe.
class RowOrder {
 public:
  static constexpr std::uint64_t kPoolRows = 32768;
  static constexpr std::uint64_t kPoolTokens = std::uint64_t{1} << 25U;
  // A chunk has at least kPoolRows / kPoolChunks rows: small stored chunks are taken several at once.
  static constexpr std::uint64_t kPoolChunks = 128;
  // A chunk has at most kPoolRows / kMinChunks rows: large stored chunks are cut, and read several times.
  static constexpr std::uint64_t kMinChunks = 8;

  // `set` must have rows.
  RowOrder(const ShardSet& set, std::uint64_t seed, RowShuffle shuffle = RowShuffle::kV2);

  std::uint64_t rows_per_epoch() const { return rows_per_epoch_; }
  EpochOrder epoch(std::uint64_t number) const;

 private:
  friend class EpochOrder;
  struct Shard {
    std::uint64_t rows = 0;
    std::uint64_t chunk_rows = 0;
    std::uint64_t first_chunk = 0;  // of all shards' chunks
  };
  std::vector<Shard> shards_;
  std::uint64_t rows_per_epoch_ = 0;
  std::uint64_t chunks_ = 0;
  std::uint64_t pool_rows_ = 0;
  std::uint64_t seed_;
  RowShuffle shuffle_;
};

// The pools of one epoch. A plain value; const calls are thread-safe.
class EpochOrder {
 public:
  EpochOrder(const RowOrder& order, std::uint64_t number);

  std::size_t pools() const { return pools_.size(); }
  // The pool of the row with this number in the epoch's order.
  std::size_t pool_of(std::uint64_t row) const;
  std::uint64_t begin_of(std::size_t pool) const { return pools_[pool].begin; }
  std::uint64_t end_of(std::size_t pool) const;
  RowPool pool(std::size_t number) const;

 private:
  struct Chunk {
    std::uint32_t shard = 0;
    std::uint32_t number = 0;  // in the shard
    friend auto operator<=>(const Chunk&, const Chunk&) = default;
  };
  struct Pool {
    std::uint64_t begin = 0;  // in the epoch
    std::size_t first_chunk = 0;
  };

  std::uint64_t rows_of(const Chunk& chunk) const;
  void mix_chunks();
  void split_pools();

  std::shared_ptr<const RowOrder> order_;
  std::uint64_t number_;
  std::vector<Chunk> chunks_;  // in the order of the epoch
  std::vector<Pool> pools_;
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
  // Makes the pool of position_ the current one; its rows are read when needed.
  void enter_pool();
  void load_pool();

  ShardSet set_;
  RowOrder order_;
  std::uint64_t position_;
  RowShare share_;

  std::uint64_t epoch_number_;
  EpochOrder epoch_;
  std::size_t pool_ = 0;
  bool loaded_ = false;
  Batch rows_;                    // of the pool, in their order
  std::vector<RowPlace> places_;  // of each
};

}  // namespace bertprep
