#include "bertprep/shard/row_stream.h"

#include <algorithm>

#include "bertprep/base/error.h"
#include "shard/row_copying.h"

namespace bertprep {
RowStream::RowStream(ShardSet set, const RowOrder& order, std::uint64_t position, RowShare share)
    : set_(std::move(set)), order_(order), position_(position), share_(share) {
  epoch_ = position_ / order_.rows_per_epoch();
  blocks_ = order_.blocks(epoch_);
  block_begin_ = epoch_ * order_.rows_per_epoch();
  enter_block();
}

void RowStream::next(std::uint64_t count, TrainingBatch& batch) {
  if (count % share_.processes != 0) {
    throw ConfigError("a batch of " + std::to_string(count) + " rows can't be split evenly among " +
                      std::to_string(share_.processes) + " processes");
  }
  const std::uint64_t own = count / share_.processes;
  batch.rows.resize(own, {own, set_.seq_len, set_.max_predictions});
  batch.places.clear();
  skip_rows(own * share_.rank);
  copy_rows(own, batch);
  skip_rows(own * (share_.processes - 1 - share_.rank));
  batch.next_position = position_;
}

void RowStream::copy_rows(std::uint64_t count, TrainingBatch& batch) {
  while (count > 0) {
    enter_block();
    load_block();
    const std::uint64_t inside = position_ - block_begin_;
    const std::uint64_t take = std::min(count, blocks_[block_].rows - inside);
    for (std::uint64_t i = 0; i < take; ++i) {
      const std::uint64_t row = order_in_block_[inside + i];
      copy_row(rows_, row - blocks_[block_].first, batch.rows, batch.places.size(),
               {0, set_.seq_len, set_.max_predictions});
      batch.places.push_back({blocks_[block_].shard, row});
    }
    position_ += take;
    count -= take;
  }
}

void RowStream::skip_rows(std::uint64_t count) {
  position_ += count;
}

void RowStream::enter_block() {
  while (position_ >= block_begin_ + blocks_[block_].rows) {
    block_begin_ += blocks_[block_].rows;
    loaded_ = false;
    if (++block_ == blocks_.size()) {
      block_ = 0;
      blocks_ = order_.blocks(++epoch_);
    }
  }
}

void RowStream::load_block() {
  if (loaded_) return;
  const RowBlock& block = blocks_[block_];
  ShardReader reader(set_.shards[block.shard].path);
  if (reader.shape().rows != set_.shards[block.shard].rows) {
    throw FormatError("no longer has the number of rows that it had at the start", set_.shards[block.shard].path,
                      "do not change the shards during training");
  }
  reader.read(block.first, block.rows, rows_);
  require_in_range(rows_, block.first, set_, set_.shards[block.shard].path);
  order_in_block_ = order_.rows(epoch_, block);
  loaded_ = true;
}

}  // namespace bertprep
