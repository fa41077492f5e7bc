#include "bertprep/shard/row_stream.h"

#include <algorithm>

#include "bertprep/base/error.h"
#include "shard/pool_reading.h"

namespace bertprep {

RowStream::RowStream(ShardSet set, const RowOrder& order, std::uint64_t position, RowShare share)
    : set_(std::move(set)),
      order_(order),
      position_(position),
      share_(share),
      epoch_number_(position / order.rows_per_epoch()),
      epoch_(order.epoch(epoch_number_)),
      pool_(epoch_.pool_of(position % order.rows_per_epoch())) {}

void RowStream::next(std::uint64_t count, TrainingBatch& batch) {
  if (count % share_.processes != 0) {
    throw ConfigError("a batch of " + std::to_string(count) + " rows can't be split evenly among " +
                      std::to_string(share_.processes) + " processes");
  }
  const std::uint64_t own = count / share_.processes;
  batch.rows.resize(own, {own, set_.seq_len, set_.max_predictions});
  batch.places.clear();
  position_ += own * share_.rank;
  copy_rows(own, batch);
  position_ += own * (share_.processes - 1 - share_.rank);
  batch.next_position = position_;
}

void RowStream::copy_rows(std::uint64_t count, TrainingBatch& batch) {
  const ShardShape lengths{0, set_.seq_len, set_.max_predictions};
  while (count > 0) {
    enter_pool();
    load_pool();
    const std::uint64_t inside = position_ % order_.rows_per_epoch() - epoch_.begin_of(pool_);
    const std::uint64_t take = std::min(count, places_.size() - inside);
    for (std::uint64_t i = inside; i < inside + take; ++i) {
      copy_row(rows_, i, batch.rows, batch.places.size(), lengths);
      batch.places.push_back(places_[i]);
    }
    position_ += take;
    count -= take;
  }
}

void RowStream::enter_pool() {
  const std::uint64_t epoch_number = position_ / order_.rows_per_epoch();
  if (epoch_number != epoch_number_) {
    epoch_ = order_.epoch(epoch_number);
    epoch_number_ = epoch_number;
    loaded_ = false;
  }
  const std::size_t pool = epoch_.pool_of(position_ % order_.rows_per_epoch());
  if (pool != pool_) loaded_ = false;
  pool_ = pool;
}

void RowStream::load_pool() {
  if (loaded_) return;
  const RowPool pool = epoch_.pool(pool_);
  const CheckRows check = [this](const Batch& rows, std::uint64_t first, const ShardEntry& shard) {
    require_in_range(rows, first, set_, shard.path);
  };
  read_pool(pool, set_.shards, {0, set_.seq_len, set_.max_predictions}, set_.content, check, rows_);
  places_ = places_of(pool);
  loaded_ = true;
}

}  // namespace bertprep
