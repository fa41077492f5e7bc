// RowStream: the rows of a ShardSet in the order of a RowOrder, as batches, from any place on.
//
// With several processes each takes the rows of its rank: a batch of all of them is cut into `processes` equal runs.
// Memory: one block of rows. Belongs to one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bertprep/shard/schema.h"
#include "bertprep/shard/shard_reader.h"
#include "trainer/row_order.h"
#include "trainer/shard_set.h"

namespace bertprep {

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
