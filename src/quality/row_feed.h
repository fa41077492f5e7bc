// RowFeed: the rows of many files as one sequence.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "bertprep/base/progress.h"
#include "quality/row_view.h"

namespace bertprep {

class RowFeed {
 public:
  // Files in the order in which their rows are taken.
  RowFeed(std::vector<std::filesystem::path> files, RowKind kind) : files_(std::move(files)), kind_(kind) {}

  // Goes to the next row; false at the end. Calls progress.advance(1) for each file that is done. Throws IoError,
  // FormatError, Cancelled.
  bool next(Progress& progress);
  // Of the present row; valid until next().
  RowView row() const { return reader_->row(at_ - block_first_); }
  const std::filesystem::path& file() const { return files_[file_]; }
  std::uint64_t number() const { return at_; }  // in its file

 private:
  bool open_next(Progress& progress);

  std::vector<std::filesystem::path> files_;
  RowKind kind_;
  std::unique_ptr<ShardColumns> columns_;
  std::unique_ptr<RowReader> reader_;
  std::size_t file_ = 0;
  std::uint64_t at_ = 0;
  std::uint64_t block_first_ = 0;
  std::uint64_t block_end_ = 0;
};

}  // namespace bertprep
