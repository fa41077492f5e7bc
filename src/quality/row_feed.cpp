#include "quality/row_feed.h"

#include <algorithm>

#include "bertprep/base/error.h"

namespace bertprep {

bool RowFeed::open_next(Progress& progress) {
  if (reader_) {
    progress.advance(1);
    ++file_;
  }
  reader_.reset();
  if (file_ >= files_.size()) return false;
  columns_ = std::make_unique<ShardColumns>(files_[file_]);
  reader_ = std::make_unique<RowReader>(*columns_, kind_);
  if (!reader_->fault().empty()) throw FormatError(reader_->fault(), files_[file_]);
  at_ = block_first_ = block_end_ = 0;
  return true;
}

bool RowFeed::next(Progress& progress) {
  if (reader_ && block_end_ > 0) ++at_;
  while (!reader_ || at_ >= reader_->rows()) {
    if (!open_next(progress)) return false;
  }
  if (at_ < block_end_) return true;
  if (progress.cancelled()) throw Cancelled();
  block_first_ = at_;
  block_end_ = std::min<std::uint64_t>(at_ + reader_->rows_at_once(), reader_->rows());
  reader_->read(block_first_, block_end_ - block_first_);
  return true;
}

}  // namespace bertprep
