// Rows of files as trainers see them, with either of two sets of column names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "quality/shard_columns.h"
#include "shard/shard_names.h"

namespace bertprep {

// OnesRun: the range of ones in a row of zeros and ones. It describes almost every mask and every row of segments, so
// that their values need not be examined again.
struct OnesRun {
  std::size_t begin = 0;
  std::size_t end = 0;  // after the last one; both are 0 without ones
};

// Nothing if there are values other than 0 and 1, or zeros between ones. Equal values of both types give the same
// result.
std::optional<OnesRun> find_ones(std::span<const std::uint8_t> values);
std::optional<OnesRun> find_ones(std::span<const std::int64_t> values);

// Whose names the columns use.
enum class RowKind {
  kBert,         // of bertprep/shard/schema.h
  kHuggingFace,  // attention_mask, token_type_ids, labels: the inputs of its models
  kOther,        // input_ids at most
};

RowKind kind_of(const ShardColumns& columns);

// One row; missing parts are empty. Valid until the next read().
struct RowView {
  std::span<const std::int64_t> ids{};
  std::span<const std::int64_t> mask{};
  std::span<const std::int64_t> segments{};
  std::span<const std::int64_t> positions{};
  std::span<const std::int64_t> masked_ids{};
  std::span<const std::int64_t> labels{};  // kHuggingFace: one for each token, -100 if not predicted
  std::optional<std::int64_t> next_sentence{};
  // The result of find_ones() for mask and segments, if already known.
  std::optional<OnesRun> mask_ones{};
  std::optional<OnesRun> segment_ones{};
};

class RowReader {
 public:
  // `columns` must outlive it. Skips columns that can't be read.
  RowReader(ShardColumns& columns, RowKind kind);

  // What is wrong with the first column of this kind that exists but can't be read; empty if there is none.
  const std::string& fault() const { return fault_; }
  std::uint64_t rows() const { return rows_; }  // common to all columns
  std::size_t rows_at_once() const { return columns_.rows_at_once(); }
  // Throws IoError, FormatError.
  void read(std::uint64_t first, std::size_t count);
  RowView row(std::size_t i) const;

 private:
  struct Part {
    const Hdf5InputDataset* column = nullptr;
    std::size_t width = 0;
    std::vector<std::int64_t> values{};
    std::vector<std::optional<OnesRun>> ones{};  // of each row, in columns of zeros and ones

    void find_ones_of(std::span<const std::byte> stored, std::size_t rows);
    std::span<const std::int64_t> row(std::size_t i) const {
      return column == nullptr ? std::span<const std::int64_t>() : std::span(values).subspan(i * width, width);
    }
    std::optional<OnesRun> ones_of(std::size_t i) const { return ones.empty() ? std::nullopt : ones[i]; }
  };

  ShardColumns& columns_;
  std::string fault_;
  std::uint64_t rows_ = 0;
  std::vector<Part> parts_;
};

// Equal values have equal digests, whatever their stored types.
std::uint64_t digest_of(const RowView& row);

// RowFeed: the rows of many files as one sequence.
class RowFeed {
 public:
  // Files of one folder, in the order in which their rows are read.
  RowFeed(std::vector<std::filesystem::path> files, RowKind kind);

  // Moves to the next row; false at the end. Calls progress.advance(1) after each file. Throws IoError, Cancelled, and
  // FormatError, also if a file is not the one that the manifest beside it describes.
  bool next(Progress& progress);
  // The current row; valid until next().
  RowView row() const { return reader_->row(at_ - block_first_); }
  const std::filesystem::path& file() const { return files_[file_]; }
  std::uint64_t number() const { return at_; }  // in its file

 private:
  bool open_next(Progress& progress);

  std::vector<std::filesystem::path> files_;
  RowKind kind_;
  RecordedFiles recorded_;
  std::unique_ptr<ShardColumns> columns_;
  std::unique_ptr<RowReader> reader_;
  std::size_t file_ = 0;
  std::uint64_t at_ = 0;
  std::uint64_t block_first_ = 0;
  std::uint64_t block_end_ = 0;
};

}  // namespace bertprep
